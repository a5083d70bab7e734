-- USDC that arrives at the wallets of agents, as chain-indexer tells of it; for the activity of agents.
CREATE TABLE deposit_address (
  chain_id bigint NOT NULL,
  -- In lower case.
  address text NOT NULL,
  agent_id bigint NOT NULL,
  PRIMARY KEY (chain_id, address)
);
CREATE TABLE deposit (
  chain_id bigint NOT NULL,
  tx_hash text COLLATE "C" NOT NULL,
  address text NOT NULL,
  transfer_ordinal integer NOT NULL,
  revision bigint NOT NULL,
  status text NOT NULL CHECK (status IN ('pending', 'confirmed', 'orphaned')),
  agent_id bigint NOT NULL,
  sender text NOT NULL,
  asset text NOT NULL,
  -- Base units.
  amount numeric(78) NOT NULL,
  block_number bigint NOT NULL,
  -- Time of its block.
  at timestamptz NOT NULL,
  PRIMARY KEY (chain_id, tx_hash, address, transfer_ordinal)
);
CREATE INDEX deposit_of_agent ON deposit (agent_id, at DESC, tx_hash DESC, transfer_ordinal DESC);
REVOKE DELETE, TRUNCATE ON deposit, deposit_address FROM mandates_app;
