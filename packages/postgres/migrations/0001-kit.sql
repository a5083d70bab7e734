-- Tables that every service schema has: the outbox of its events, the inbox of events it
-- reacted to, and the claims of idempotent calls.

CREATE TABLE outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seq bigint,
  subject text NOT NULL,
  payload jsonb NOT NULL,
  traceparent text,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- Last sequence number given to an event of this schema; the single row is also the relay's lock.
CREATE TABLE outbox_head (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  seq bigint NOT NULL
);
INSERT INTO outbox_head (seq) VALUES (0);

CREATE TABLE inbox (
  event_id text PRIMARY KEY,
  received_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX inbox_received_at ON inbox (received_at);

CREATE TABLE idempotency (
  account_id bigint NOT NULL,
  operation text NOT NULL,
  key text NOT NULL,
  request_hash text NOT NULL,
  attempt integer NOT NULL DEFAULT 1,
  state text NOT NULL DEFAULT 'in_flight' CHECK (state IN ('in_flight', 'done')),
  claimed_at timestamptz NOT NULL DEFAULT now(),
  status integer,
  body jsonb,
  PRIMARY KEY (account_id, operation, key)
);
CREATE INDEX idempotency_claimed_at ON idempotency (claimed_at);
