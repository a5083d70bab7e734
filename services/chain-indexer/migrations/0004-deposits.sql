-- Addresses that other services asked to watch for USDC.
CREATE TABLE watched_address (
  chain_id bigint NOT NULL,
  address text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('agent_wallet', 'vault')),
  asked_by text NOT NULL,
  since timestamptz NOT NULL,
  -- True once the blocks before the stream's position at the registration have been scanned for this address.
  backfilled boolean NOT NULL DEFAULT false,
  PRIMARY KEY (chain_id, address)
);
CREATE INDEX watched_address_new ON watched_address (chain_id, address) WHERE NOT backfilled;

-- USDC that arrived at a watched address; a transfer is (tx_hash, address, transfer_ordinal).
CREATE TABLE deposit (
  chain_id bigint NOT NULL,
  tx_hash text NOT NULL,
  address text NOT NULL,
  transfer_ordinal integer NOT NULL,
  sender text NOT NULL,
  asset text NOT NULL,
  amount numeric(78, 0) NOT NULL,
  block_number bigint NOT NULL,
  block_hash text NOT NULL,
  block_time timestamptz NOT NULL,
  status text NOT NULL CHECK (status IN ('pending', 'confirmed', 'orphaned')),
  revision integer NOT NULL CHECK (revision > 0),
  confirmed_at timestamptz,
  rechecked_at timestamptz,
  PRIMARY KEY (chain_id, tx_hash, address, transfer_ordinal),
  CHECK (status <> 'confirmed' OR confirmed_at IS NOT NULL)
);
CREATE INDEX deposit_by_block ON deposit (chain_id, block_number) WHERE status <> 'orphaned';
CREATE INDEX deposit_to_check ON deposit (chain_id, rechecked_at NULLS FIRST) WHERE status <> 'orphaned';

REVOKE DELETE, TRUNCATE ON deposit FROM chain_indexer_app;
