-- Transfers as agents report them. Amounts are base units of the asset; delivered once the chain shows the movement.
CREATE TABLE transfer (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  agent_id bigint NOT NULL,
  chain_id bigint NOT NULL,
  -- Contract of the asset in lower case, or its symbol if no contract is known.
  asset text NOT NULL,
  amount numeric(78) NOT NULL,
  decimals integer NOT NULL,
  tx_hash text NOT NULL,
  direction text NOT NULL CHECK (direction IN ('in', 'out')),
  state text NOT NULL CHECK (state IN ('in_transit', 'delivered')),
  -- Why the transfer is still in transit; null once delivered.
  reason text,
  eta_at timestamptz,
  -- Number of the movement in its transaction: one movement delivers one transfer.
  movement integer,
  reported_at timestamptz NOT NULL,
  delivered_at timestamptz,
  -- Highest revision of the transaction that was compared with the transfer.
  revision integer NOT NULL DEFAULT 0,
  CHECK ((state = 'delivered') = (movement IS NOT NULL))
);
CREATE UNIQUE INDEX transfer_movement_once ON transfer (chain_id, tx_hash, movement) WHERE movement IS NOT NULL;
CREATE UNIQUE INDEX transfer_told_once ON transfer (agent_id, chain_id, tx_hash, asset, direction, amount);
CREATE INDEX transfer_of_agent ON transfer (agent_id, id DESC);
CREATE INDEX transfer_of_agent_by_time ON transfer (agent_id, reported_at DESC, id DESC);
CREATE INDEX transfer_by_tx ON transfer (chain_id, tx_hash);

-- Movements of the Cherry of accounts, copied from the events of subscriptions, which owns the ledger.
CREATE TABLE cherry_move (
  account_id bigint NOT NULL,
  transfer_id bigint NOT NULL,
  amount bigint NOT NULL,
  kind text NOT NULL,
  reference text NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (account_id, transfer_id)
);
CREATE INDEX cherry_move_of_account ON cherry_move (account_id, at DESC, transfer_id DESC);
CREATE INDEX cherry_move_of_mining ON cherry_move (account_id) WHERE kind = 'mining_reward';

-- Wallets of agents whose incoming USDC chain-indexer watches, and the deposits that it published, for the agents' activity.
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
  -- Time of the block.
  at timestamptz NOT NULL,
  PRIMARY KEY (chain_id, tx_hash, address, transfer_ordinal)
);
CREATE INDEX deposit_of_agent ON deposit (agent_id, at DESC, tx_hash DESC, transfer_ordinal DESC);

REVOKE DELETE, TRUNCATE ON transfer, deposit, deposit_address FROM mandates_app;
REVOKE UPDATE, DELETE, TRUNCATE ON cherry_move FROM mandates_app;
