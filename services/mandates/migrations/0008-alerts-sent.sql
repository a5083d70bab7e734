-- Where an owner's alerts are sent.
CREATE TABLE alert_channel (
  owner_id bigint PRIMARY KEY,
  telegram_chat_id text NOT NULL,
  set_at timestamptz NOT NULL
);
-- try_at: when it is tried next; null once it is sent or given up. failure: why the last try did not send it.
ALTER TABLE alert ADD COLUMN attempts integer NOT NULL DEFAULT 0, ADD COLUMN try_at timestamptz, ADD COLUMN failure text,
  ADD CHECK (sent_at IS NULL OR try_at IS NULL);
UPDATE alert SET try_at = created_at WHERE sent_at IS NULL;
DROP INDEX alert_unsent;
CREATE INDEX alert_due ON alert (try_at) WHERE try_at IS NOT NULL;
CREATE INDEX alert_of_owner ON alert (owner_id, id DESC);
REVOKE TRUNCATE ON alert_channel FROM mandates_app;
