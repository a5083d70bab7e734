-- Calls counted per account and UTC day (day = days since the epoch). Redis holds the live counter;
-- this table is at most a few seconds behind and seeds it again after a loss.
CREATE TABLE usage (
  account_id bigint NOT NULL,
  day integer NOT NULL,
  -- A gateway that stops gives unused leases back; the sum never stays below zero.
  used bigint NOT NULL,
  PRIMARY KEY (account_id, day)
) WITH (fillfactor = 70);
CREATE INDEX usage_day ON usage (day);
