-- Transfers as agents report them. Amounts are base units of the asset; delivered once the chain shows the movement.
CREATE TABLE transfer (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  agent_id bigint NOT NULL,
  chain_id bigint NOT NULL,
  -- Contract of the asset in lower case, or its symbol where no contract is known.
  asset text NOT NULL,
  amount numeric(78) NOT NULL,
  decimals integer NOT NULL,
  tx_hash text NOT NULL,
  direction text NOT NULL CHECK (direction IN ('in', 'out')),
  state text NOT NULL CHECK (state IN ('in_transit', 'delivered')),
  -- Why it is still in transit; null once delivered.
  reason text,
  eta_at timestamptz,
  -- Place of the movement among those of its transaction, so that no two transfers are delivered by one.
  movement integer,
  reported_at timestamptz NOT NULL,
  delivered_at timestamptz,
  CHECK ((state = 'delivered') = (movement IS NOT NULL))
);
CREATE UNIQUE INDEX transfer_movement_once ON transfer (chain_id, tx_hash, movement) WHERE movement IS NOT NULL;
CREATE UNIQUE INDEX transfer_told_once ON transfer (agent_id, chain_id, tx_hash, asset, direction, amount);
CREATE INDEX transfer_of_agent ON transfer (agent_id, id DESC);
CREATE INDEX transfer_by_tx ON transfer (chain_id, tx_hash);

REVOKE DELETE, TRUNCATE ON transfer FROM mandates_app;
