-- Factories that the stream vault_events reads. A factory that was configured after the stream had passed some blocks is
-- read separately from `next_block` on; null once the stream has caught up. Until then its vaults are not the stream's.
CREATE TABLE swept_factory (
  chain_id bigint NOT NULL,
  -- In lower case.
  address text NOT NULL,
  next_block bigint,
  PRIMARY KEY (chain_id, address)
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
  -- The poller's last reading and its time; null before the first reading.
  polled jsonb,
  polled_at timestamptz,
  PRIMARY KEY (chain_id, address)
);
CREATE INDEX vault_by_owner ON vault (chain_id, owner);
CREATE INDEX vault_by_mandate ON vault (chain_id, mandate_id_hash);
CREATE INDEX vault_by_poll ON vault (chain_id, polled_at NULLS FIRST) WHERE canonical;

-- Every event of a factory or vault that was ever seen. Rows are never deleted: a row of a replaced block becomes
-- `canonical = false`. A fact is (chain_id, tx_hash, log_ordinal); each change of a fact raises its revision by one. A fact
-- that returns after it was taken back gets another row, even in the same block, so that an insert never searches for a
-- row to change. The primary key orders the table by block: a reorganisation takes back one range of it.
CREATE TABLE log (
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
  -- json, because it is only read back whole: jsonb takes more time to store than all other columns together.
  args json NOT NULL,
  -- The vault's books after the event; null once they differed from the chain.
  books json,
  revision integer NOT NULL CHECK (revision > 0),
  canonical boolean NOT NULL,
  orphaned_at timestamptz,
  CHECK (canonical = (orphaned_at IS NULL)),
  PRIMARY KEY (chain_id, block_number, log_index, block_hash, revision)
);
-- A fact is at one place in the chain at a time.
CREATE UNIQUE INDEX log_fact ON log (chain_id, tx_hash, log_ordinal) WHERE canonical;
CREATE INDEX log_by_vault ON log (chain_id, vault, block_number, log_index) WHERE canonical;
-- A fact that returns continues from the revision with which it was taken back; only such rows are looked up.
CREATE INDEX log_taken_back ON log (chain_id, tx_hash, log_ordinal) WHERE NOT canonical;

REVOKE DELETE, TRUNCATE ON vault, log FROM chain_indexer_app;
