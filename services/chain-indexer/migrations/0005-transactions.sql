-- Transactions whose confirmation other services asked to be notified of.
CREATE TABLE watched_transaction (
  chain_id bigint NOT NULL,
  tx_hash text NOT NULL,
  asked_by text NOT NULL,
  asked_at timestamptz NOT NULL,
  checked_at timestamptz,
  -- The block in the last notification; null before the first one, and after that block was replaced.
  told_block_hash text,
  told jsonb,
  revision integer NOT NULL DEFAULT 0,
  PRIMARY KEY (chain_id, tx_hash)
);
CREATE INDEX watched_transaction_due ON watched_transaction (chain_id, checked_at NULLS FIRST);
