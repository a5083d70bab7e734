-- Events that the stream has, for some days. A database that is restored to an earlier moment, and streams that are lost,
-- do not know each other's events: these are published again, and inboxes ignore those that took effect.
CREATE TABLE sent_event (
  id bigint NOT NULL,
  seq bigint NOT NULL,
  subject text NOT NULL,
  payload json NOT NULL,
  created_at timestamptz NOT NULL,
  sent_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX sent_event_sent_at ON sent_event (sent_at);
