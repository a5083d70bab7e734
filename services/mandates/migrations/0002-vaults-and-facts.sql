-- The vault of a mandate. A vault whose creation a reorganisation removed stays with canonical false.
CREATE TABLE vault (
  mandate_id bigint PRIMARY KEY REFERENCES mandate,
  chain_id bigint NOT NULL,
  address text NOT NULL,
  factory text NOT NULL,
  version integer NOT NULL CHECK (version IN (1, 2)),
  creation_tx text NOT NULL,
  -- Agent that the terms pin; AgentSet facts change who may act.
  agent text NOT NULL,
  canonical boolean NOT NULL DEFAULT true,
  attached_at timestamptz NOT NULL,
  -- The contract's own books, folded from its facts; {} before the first.
  books jsonb NOT NULL DEFAULT '{}',
  -- Block and log index of the newest fact in the books.
  books_block bigint,
  books_log_index integer,
  UNIQUE (chain_id, address)
);
CREATE TRIGGER vault_touches AFTER INSERT OR UPDATE ON vault FOR EACH ROW EXECUTE FUNCTION touch_mandate();

-- Logs of the vaults, their creation included, by the identity of the log in its transaction. A log that a reorganisation
-- removed stays with canonical false. The highest revision counts; 0 is a receipt that the sweep has not confirmed yet.
CREATE TABLE chain_fact (
  chain_id bigint NOT NULL,
  tx_hash text NOT NULL,
  log_ordinal integer NOT NULL,
  vault text NOT NULL,
  name text NOT NULL,
  args jsonb NOT NULL,
  block_number bigint NOT NULL,
  block_hash text NOT NULL,
  block_time timestamptz NOT NULL,
  -- Orders the facts of one block, in whichever order they arrive.
  log_index integer NOT NULL,
  revision integer NOT NULL,
  canonical boolean NOT NULL,
  PRIMARY KEY (chain_id, tx_hash, log_ordinal)
);
CREATE INDEX chain_fact_of_vault ON chain_fact (chain_id, vault, name, block_number) WHERE canonical;
-- Receipts that the sweep has not confirmed.
CREATE INDEX chain_fact_of_receipt ON chain_fact (chain_id, block_number) WHERE revision = 0 AND canonical;

-- Reverted calls of vaults as the indexer published them, also of vaults that no mandate has yet. The highest revision counts.
CREATE TABLE attempt (
  chain_id bigint NOT NULL,
  tx_hash text NOT NULL,
  vault text NOT NULL,
  revision integer NOT NULL,
  told jsonb NOT NULL,
  PRIMARY KEY (chain_id, tx_hash)
);
CREATE INDEX attempt_of_vault ON attempt (chain_id, vault);

REVOKE DELETE, TRUNCATE ON vault, chain_fact, attempt FROM mandates_app;
