-- Worth of mandates over time, as the keeper computed it. Amounts are USDC base units. Rows older than 45 days are deleted,
-- except the closing row of each UTC day.
CREATE TABLE worth (
  mandate_id bigint NOT NULL REFERENCES mandate,
  at timestamptz NOT NULL,
  -- Null when it was withheld.
  worth numeric(39),
  vault_worth numeric(39) NOT NULL,
  -- Part of vault_worth that was sent to the address of the vault and is not in its books; null if unknown.
  unbooked numeric(39),
  positions_worth numeric(39),
  leg_worth numeric(39),
  source text NOT NULL CHECK (source IN ('keeper', 'poller')),
  block_number bigint NOT NULL,
  withheld_reason text,
  PRIMARY KEY (mandate_id, at),
  CHECK ((worth IS NULL) = (withheld_reason IS NOT NULL))
);
CREATE INDEX worth_by_time ON worth (at);
CREATE INDEX worth_by_block ON worth (block_number);
CREATE INDEX worth_known ON worth (mandate_id, at DESC) WHERE worth IS NOT NULL;

-- Reorganisations. Marks of replaced blocks are deleted, also marks that arrive after the reorganisation was noticed.
CREATE TABLE reorganisation (
  chain_id bigint NOT NULL,
  -- Newest block that stayed.
  ancestor_number bigint NOT NULL,
  noticed_at timestamptz NOT NULL,
  PRIMARY KEY (chain_id, ancestor_number, noticed_at)
);

-- Workers that enforce clauses: a clause is in force while its workers report that they act.
CREATE TABLE worker (
  name text PRIMARY KEY,
  -- False in a dry run.
  live boolean NOT NULL,
  every_sec integer NOT NULL CHECK (every_sec > 0),
  seen_at timestamptz NOT NULL
);
