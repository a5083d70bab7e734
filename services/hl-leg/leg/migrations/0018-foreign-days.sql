-- Executions in the account of a leg that belong to none of its orders, by UTC day, as surveys counted them. The highest count
-- of a day stays: the venue lists an account's newest executions only.
CREATE TABLE foreign_day (
  public_id text NOT NULL REFERENCES leg,
  day date NOT NULL,
  fills integer NOT NULL CHECK (fills > 0),
  PRIMARY KEY (public_id, day)
);
REVOKE DELETE, TRUNCATE ON foreign_day FROM hl_leg_app;
