-- Webhooks: where items of feeds are sent, and what still has to be sent there.

CREATE TABLE webhook (
  id text PRIMARY KEY CHECK (id ~ '^whk_[a-z0-9]{20}$'),
  account_id bigint NOT NULL,
  url text NOT NULL CHECK (length(url) BETWEEN 1 AND 500),
  host text NOT NULL CHECK (length(host) BETWEEN 1 AND 260),
  feed_keys text[] NOT NULL CHECK (cardinality(feed_keys) BETWEEN 1 AND 4),
  -- Each `exchange SYMBOL`; empty: all pairs.
  pairs text[] NOT NULL CHECK (cardinality(pairs) <= 50),
  severity_min smallint CHECK (severity_min BETWEEN 1 AND 3),
  state text NOT NULL DEFAULT 'unverified' CHECK (state IN ('unverified', 'on', 'off')),
  -- Encrypted under SVC_WEBHOOK_KEY: `<key>.<nonce and ciphertext>`.
  secret text NOT NULL,
  old_secret text,
  old_secret_ends_at timestamptz,
  created_at timestamptz NOT NULL,
  last_delivered_at timestamptz,
  -- Failures since the last delivery. Nothing is sent before next_at.
  failures integer NOT NULL DEFAULT 0,
  failing_since timestamptz,
  last_failure text CHECK (length(last_failure) <= 40),
  next_at timestamptz NOT NULL,
  off_at timestamptz,
  off_reason text CHECK (off_reason IN ('failing', 'gone', 'backlog')),
  CHECK ((state = 'off') = (off_at IS NOT NULL) AND (off_at IS NULL) = (off_reason IS NULL)),
  CHECK ((failures = 0) = (failing_since IS NULL)),
  CHECK ((old_secret IS NULL) = (old_secret_ends_at IS NULL))
);
CREATE INDEX webhook_account ON webhook (account_id);

-- An item that has not been accepted yet. It is deleted when it is, and a day after it was queued.
CREATE TABLE webhook_delivery (
  webhook_id text NOT NULL REFERENCES webhook ON DELETE CASCADE,
  feed_key text NOT NULL,
  seq bigint NOT NULL,
  queued_at timestamptz NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  next_at timestamptz NOT NULL,
  PRIMARY KEY (webhook_id, feed_key, seq)
);
-- What the sending job reads of one webhook.
CREATE INDEX webhook_delivery_due ON webhook_delivery (webhook_id, next_at);

-- The last item of each feed that was queued for the webhooks that were on.
CREATE TABLE webhook_cursor (
  feed_key text PRIMARY KEY,
  seq bigint NOT NULL CHECK (seq >= 0)
);

-- Challenges and tests by host in a window of a minute; rows outlive their webhooks, and the job forgets them.
CREATE TABLE webhook_host (
  host text PRIMARY KEY,
  window_at timestamptz NOT NULL,
  asked integer NOT NULL
);
