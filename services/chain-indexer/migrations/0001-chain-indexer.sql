-- Where each stream stands: the next block it reads, and the block before it, by which a reorganisation is noticed.
-- The row is locked by whoever stores something of the stream, so that two instances never store the same block twice.
CREATE TABLE cursor (
  chain_id bigint NOT NULL,
  stream text NOT NULL CHECK (stream IN ('vault_events', 'reverts', 'deposits')),
  next_block bigint NOT NULL CHECK (next_block >= 0),
  anchor_number bigint NOT NULL CHECK (anchor_number = greatest(next_block - 1, 0)),
  anchor_hash text NOT NULL,
  -- Why the stream stands still until an operator decides; null while it goes on.
  stopped text,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (chain_id, stream)
);

-- Hashes of blocks that a stream has read: those with one of its facts and the last one of each chunk. Those of
-- replaced blocks are removed with the facts, those beyond the window when the stream moves on.
CREATE TABLE block_anchor (
  chain_id bigint NOT NULL,
  stream text NOT NULL,
  number bigint NOT NULL,
  hash text NOT NULL,
  block_time timestamptz NOT NULL,
  PRIMARY KEY (chain_id, stream, number)
);

-- Vaults that the factories created. `books` is the fold of the vault's canonical events.
CREATE TABLE vault (
  chain_id bigint NOT NULL,
  address text NOT NULL,
  factory text NOT NULL,
  version smallint NOT NULL CHECK (version IN (1, 2)),
  owner text NOT NULL,
  mandate_id_hash text NOT NULL,
  terms_hash text NOT NULL,
  terms jsonb NOT NULL,
  tx_hash text NOT NULL,
  created_block bigint NOT NULL,
  created_time timestamptz NOT NULL,
  revision integer NOT NULL CHECK (revision > 0),
  canonical boolean NOT NULL,
  books jsonb NOT NULL,
  books_block bigint NOT NULL,
  differs text[] NOT NULL DEFAULT '{}',
  -- What the poller read last, and when; null before the first reading.
  polled jsonb,
  polled_at timestamptz,
  PRIMARY KEY (chain_id, address)
);
CREATE INDEX vault_by_owner ON vault (chain_id, owner);
CREATE INDEX vault_by_mandate ON vault (chain_id, mandate_id_hash);
CREATE INDEX vault_by_poll ON vault (chain_id, polled_at NULLS FIRST) WHERE canonical;

-- Every event of a factory or vault that was ever seen. Rows are never deleted: those of a replaced block become
-- `canonical = false`. A fact is (chain_id, tx_hash, log_ordinal); each change of it raises its revision by one.
CREATE TABLE log (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  chain_id bigint NOT NULL,
  block_number bigint NOT NULL,
  block_hash text NOT NULL,
  block_time timestamptz NOT NULL,
  tx_hash text NOT NULL,
  tx_index integer NOT NULL,
  log_index integer NOT NULL,
  log_ordinal integer NOT NULL,
  vault text NOT NULL,
  name text NOT NULL,
  args jsonb NOT NULL,
  -- The vault's books after the event; null once they differed from the chain.
  books jsonb,
  revision integer NOT NULL CHECK (revision > 0),
  canonical boolean NOT NULL,
  orphaned_at timestamptz,
  CHECK (canonical = (orphaned_at IS NULL)),
  UNIQUE (chain_id, block_hash, log_index)
);
-- One place in the chain for each fact at a time.
CREATE UNIQUE INDEX log_fact ON log (chain_id, tx_hash, log_ordinal) WHERE canonical;
CREATE INDEX log_revisions ON log (chain_id, tx_hash, log_ordinal, revision);
CREATE INDEX log_by_vault ON log (chain_id, vault, block_number, log_index) WHERE canonical;
CREATE INDEX log_by_block ON log (chain_id, block_number) WHERE canonical;

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

-- Addresses that other services asked to watch for USDC.
CREATE TABLE watched_address (
  chain_id bigint NOT NULL,
  address text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('agent_wallet', 'vault')),
  asked_by text NOT NULL,
  since timestamptz NOT NULL,
  -- Blocks before the stream's position when it was first swept for this address are scanned once, apart.
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

-- Transactions that other services asked to hear of.
CREATE TABLE watched_transaction (
  chain_id bigint NOT NULL,
  tx_hash text NOT NULL,
  asked_by text NOT NULL,
  asked_at timestamptz NOT NULL,
  checked_at timestamptz,
  -- The block it was last said to be in; null before, and after that block was replaced.
  told_block_hash text,
  told jsonb,
  revision integer NOT NULL DEFAULT 0,
  PRIMARY KEY (chain_id, tx_hash)
);
CREATE INDEX watched_transaction_due ON watched_transaction (chain_id, checked_at NULLS FIRST);

REVOKE DELETE, TRUNCATE ON vault, log, revert_attempt, deposit FROM chain_indexer_app;
