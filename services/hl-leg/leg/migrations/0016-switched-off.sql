-- Times in which the leg or its funding was switched off while leg money was out; at most one has no end.
CREATE TABLE switched_off (
  since timestamptz PRIMARY KEY,
  ended_at timestamptz
);
CREATE UNIQUE INDEX switched_off_now ON switched_off ((true)) WHERE ended_at IS NULL;

-- Mandates with money out in such a time, whose owners are told once.
CREATE TABLE switched_off_told (
  since timestamptz NOT NULL REFERENCES switched_off,
  public_id text NOT NULL,
  PRIMARY KEY (since, public_id)
);
REVOKE UPDATE, DELETE, TRUNCATE ON switched_off_told FROM hl_leg_app;
REVOKE DELETE, TRUNCATE ON switched_off FROM hl_leg_app;
