-- When an owner wants alerts sent: minutes of the day in the owner's time zone. Critical alerts are sent at once.
CREATE TABLE alert_times (
  owner_id bigint PRIMARY KEY,
  time_zone text NOT NULL,
  -- Both null without quiet hours; they go over midnight when from is the later one.
  quiet_from smallint CHECK (quiet_from BETWEEN 0 AND 1439),
  quiet_to smallint CHECK (quiet_to BETWEEN 0 AND 1439),
  -- Null sends each alert for itself.
  digest_at smallint CHECK (digest_at BETWEEN 0 AND 1439),
  set_at timestamptz NOT NULL,
  CHECK ((quiet_from IS NULL) = (quiet_to IS NULL))
);
REVOKE DELETE, TRUNCATE ON alert_times FROM mandates_app;
-- ends_at: when what an alert asks for is over by itself; null when it is not.
ALTER TABLE alert ADD COLUMN ends_at timestamptz;
