-- Where an owner's alerts are sent: one address for each channel.
ALTER TABLE alert_channel RENAME COLUMN telegram_chat_id TO address;
ALTER TABLE alert_channel ADD COLUMN channel text NOT NULL DEFAULT 'telegram' CHECK (channel IN ('telegram', 'email'));
ALTER TABLE alert_channel ALTER COLUMN channel DROP DEFAULT,
  DROP CONSTRAINT alert_channel_pkey, ADD PRIMARY KEY (owner_id, channel);

-- try_at: when an alert is tried next by this channel; null once it is sent or given up. failure: why the last try did
-- not send it.
CREATE TABLE alert_delivery (
  alert_id bigint NOT NULL REFERENCES alert,
  channel text NOT NULL CHECK (channel IN ('telegram', 'email')),
  attempts integer NOT NULL DEFAULT 0,
  try_at timestamptz,
  sent_at timestamptz,
  failure text,
  PRIMARY KEY (alert_id, channel),
  CHECK (sent_at IS NULL OR try_at IS NULL)
);
INSERT INTO alert_delivery SELECT id, 'telegram', attempts, try_at, sent_at, failure FROM alert;
INSERT INTO alert_delivery (alert_id, channel, try_at) SELECT id, 'email', created_at FROM alert;
CREATE INDEX alert_delivery_due ON alert_delivery (try_at) WHERE try_at IS NOT NULL;
-- sent_at stays: when an alert was first sent, by whichever channel.
ALTER TABLE alert DROP COLUMN attempts, DROP COLUMN try_at, DROP COLUMN failure;

-- Codes sent to addresses where owners want alerts. Of an owner's codes only the newest counts, until it expires.
CREATE TABLE email_code (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner_id bigint NOT NULL,
  email text NOT NULL,
  code_hash text NOT NULL,
  -- Hash of the client's address, to count by.
  client text NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX email_code_of_owner ON email_code (owner_id, id DESC);
CREATE INDEX email_code_of_address ON email_code (lower(email), created_at);
CREATE INDEX email_code_of_client ON email_code (client, created_at);
CREATE INDEX email_code_by_time ON email_code (created_at);

REVOKE DELETE, TRUNCATE ON alert_delivery FROM mandates_app;
REVOKE TRUNCATE ON email_code FROM mandates_app;
