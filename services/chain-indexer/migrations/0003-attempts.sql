-- Calls of vaults that were mined and reverted.
CREATE TABLE revert_attempt (
  chain_id bigint NOT NULL,
  tx_hash text NOT NULL,
  block_number bigint NOT NULL,
  block_hash text NOT NULL,
  block_time timestamptz NOT NULL,
  tx_index integer NOT NULL,
  vault text NOT NULL,
  agent text NOT NULL,
  finding jsonb NOT NULL,
  revision integer NOT NULL CHECK (revision > 0),
  canonical boolean NOT NULL,
  orphaned_at timestamptz,
  CHECK (canonical = (orphaned_at IS NULL)),
  PRIMARY KEY (chain_id, tx_hash)
);
CREATE INDEX revert_attempt_by_block ON revert_attempt (chain_id, block_number) WHERE canonical;

REVOKE DELETE, TRUNCATE ON revert_attempt FROM chain_indexer_app;
