-- One row per feed: the seq of its newest item. Its lock puts the items of a feed in one line, so that a
-- later seq is never visible before an earlier one.
CREATE TABLE feed (
  feed_key text PRIMARY KEY CHECK (length(feed_key) BETWEEN 1 AND 64),
  newest_seq bigint NOT NULL DEFAULT 0 CHECK (newest_seq >= 0)
);

CREATE TABLE feed_item (
  feed_key text NOT NULL REFERENCES feed,
  seq bigint NOT NULL CHECK (seq > 0),
  at timestamptz NOT NULL,
  data jsonb NOT NULL,
  PRIMARY KEY (feed_key, seq)
);
-- What the forgetting job reads.
CREATE INDEX feed_item_age ON feed_item (at);

CREATE TABLE feed_subscription (
  account_id bigint NOT NULL,
  feed_key text NOT NULL CHECK (length(feed_key) BETWEEN 1 AND 64),
  subscribed_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, feed_key)
);
