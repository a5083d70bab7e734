-- The newest good reading of an owner's account over all dexes that are read. Amounts are the venue's decimal text.
CREATE TABLE reading (
  public_id text PRIMARY KEY,
  -- By our clock: when the reading began and ended.
  began_at timestamptz NOT NULL,
  ended_at timestamptz NOT NULL,
  -- By the venue's clock: the oldest of the dexes.
  read_at timestamptz NOT NULL,
  account_value numeric NOT NULL,
  notional numeric NOT NULL,
  dexes jsonb NOT NULL,
  positions jsonb NOT NULL
);

-- Payments in the venue's ledger of an owner's account since the leg was bound, and what they change on the dexes that
-- are read. `ours`: a transfer of this house. `known_type`: false for a type that no table of ours names.
CREATE TABLE ledger_entry (
  public_id text NOT NULL,
  at timestamptz NOT NULL,
  hash text NOT NULL,
  -- Digest of the entry, and its number among equal ones of the same instant.
  digest text NOT NULL,
  copy integer NOT NULL,
  type text NOT NULL,
  effect numeric NOT NULL,
  delta jsonb NOT NULL,
  ours boolean NOT NULL,
  known_type boolean NOT NULL,
  PRIMARY KEY (public_id, at, hash, digest, copy)
);

-- How far the ledger of a leg was read, and the foreign money at the start: the account's value when the leg was bound.
CREATE TABLE ledger_cursor (
  public_id text PRIMARY KEY,
  base numeric NOT NULL,
  read_to timestamptz NOT NULL,
  read_at timestamptz NOT NULL
);
