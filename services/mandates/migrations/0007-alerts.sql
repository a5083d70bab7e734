-- Alerts of owners.
CREATE TABLE alert (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner_id bigint NOT NULL,
  mandate_id bigint NOT NULL REFERENCES mandate,
  kind text NOT NULL,
  severity text NOT NULL CHECK (severity IN ('info', 'warning', 'critical')),
  text text NOT NULL,
  link text NOT NULL,
  -- Names the subject of the alert, so that one occurrence causes one alert.
  about text NOT NULL,
  created_at timestamptz NOT NULL,
  -- When the alert was first sent, by any channel; null before that, and in a dry run.
  sent_at timestamptz,
  -- When nothing was left to do about the alert; null while it is open.
  resolved_at timestamptz,
  -- When the alert's request ends without an action, as a held call does; null if it has no end.
  ends_at timestamptz,
  UNIQUE (mandate_id, kind, about)
);
CREATE INDEX alert_of_owner ON alert (owner_id, id DESC);
CREATE INDEX alert_open ON alert (mandate_id, kind) WHERE resolved_at IS NULL;

CREATE TABLE alert_delivery (
  alert_id bigint NOT NULL REFERENCES alert,
  channel text NOT NULL CHECK (channel IN ('telegram', 'email')),
  attempts integer NOT NULL DEFAULT 0,
  -- Next try by this channel; null once the alert is sent or given up.
  try_at timestamptz,
  sent_at timestamptz,
  -- Why the last try failed.
  failure text,
  PRIMARY KEY (alert_id, channel),
  CHECK (sent_at IS NULL OR try_at IS NULL)
);
CREATE INDEX alert_delivery_due ON alert_delivery (try_at) WHERE try_at IS NOT NULL;

-- Where an owner's alerts are sent: one verified address for each channel.
CREATE TABLE alert_channel (
  owner_id bigint NOT NULL,
  channel text NOT NULL CHECK (channel IN ('telegram', 'email')),
  address text NOT NULL,
  set_at timestamptz NOT NULL,
  PRIMARY KEY (owner_id, channel)
);

-- Codes that prove an address or a chat. The newest code of an owner and channel counts, until it expires.
CREATE TABLE channel_code (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner_id bigint NOT NULL,
  channel text NOT NULL CHECK (channel IN ('telegram', 'email')),
  address text NOT NULL,
  code_hash text NOT NULL,
  -- Hash of the client's address, for the count of codes of one client.
  client text NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX channel_code_of_owner ON channel_code (owner_id, channel, id DESC);
CREATE INDEX channel_code_of_address ON channel_code (channel, lower(address), created_at);
CREATE INDEX channel_code_of_client ON channel_code (client, channel, created_at);
CREATE INDEX channel_code_by_time ON channel_code (created_at);

-- When an owner wants alerts sent: minutes of the day in the owner's time zone. Critical alerts are sent at once.
CREATE TABLE alert_times (
  owner_id bigint PRIMARY KEY,
  time_zone text NOT NULL,
  -- Both null without quiet hours; they include midnight if quiet_from is after quiet_to.
  quiet_from smallint CHECK (quiet_from BETWEEN 0 AND 1439),
  quiet_to smallint CHECK (quiet_to BETWEEN 0 AND 1439),
  -- Null sends each alert separately.
  digest_at smallint CHECK (digest_at BETWEEN 0 AND 1439),
  set_at timestamptz NOT NULL,
  CHECK ((quiet_from IS NULL) = (quiet_to IS NULL))
);

REVOKE DELETE, TRUNCATE ON alert, alert_delivery, alert_times FROM mandates_app;
REVOKE TRUNCATE ON alert_channel, channel_code FROM mandates_app;
