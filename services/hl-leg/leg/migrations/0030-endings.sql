-- Readings of accounts with their equations: the value against foreign money, transfers and the profit of its trades. USDC
-- base units. `leg_explanation` had the newest alone and not its foreign money; nothing reads it any more.
CREATE TABLE leg_equation (
  public_id text NOT NULL,
  -- By the venue's clock, as that of the reading.
  read_at timestamptz NOT NULL,
  value numeric(39) NOT NULL,
  foreign_money numeric(39) NOT NULL,
  expected numeric(39) NOT NULL,
  holds boolean NOT NULL,
  flat boolean NOT NULL,
  PRIMARY KEY (public_id, read_at)
);

-- Leg money that the owner moved out of the account and kept when the leg ended. USDC base units.
ALTER TABLE transfer ADD COLUMN kept_by_owner numeric(39) CHECK (kept_by_owner >= 0);
-- What was owed at the end beyond the amount, with what the owner kept.
ALTER TABLE transfer ADD COLUMN owed_beyond numeric(39) CHECK (owed_beyond >= 0);

-- `cash` is what executions, funding and the ledger explain, at `cash_at` of the venue's clock.
ALTER TABLE ledger_cursor ADD COLUMN cash_at timestamptz;
-- Since when the cash of the account is not explained; null while it is.
ALTER TABLE ledger_cursor ADD COLUMN unexplained_since timestamptz;
ALTER TABLE ledger_cursor ADD COLUMN unexplained_told_at timestamptz;

-- When the venue last said that the account is in the standard mode.
CREATE TABLE mode_reading (
  public_id text PRIMARY KEY,
  read_at timestamptz NOT NULL
);

-- The line was crossed by money that the owner moved out of the account, not by trading.
ALTER TABLE closing ADD COLUMN owner_moved boolean NOT NULL DEFAULT false;

-- Rows of the venue's history of a type that no table of ours names, by UTC day.
CREATE TABLE unknown_row (
  day date NOT NULL,
  type text NOT NULL,
  rows integer NOT NULL,
  PRIMARY KEY (day, type)
);
