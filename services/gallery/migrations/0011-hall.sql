-- Rows of the Hall, one an agent, stored whole. A pass replaces those whose facts changed, in the transaction that stores
-- the snapshot.
CREATE TABLE hall_record (
  agent_id bigint PRIMARY KEY,
  -- Version of the facts and UTC day for which the row was computed.
  facts_version bigint NOT NULL,
  day date NOT NULL,
  -- When the row was computed, which is earlier than the snapshot for one that is kept.
  computed_at timestamptz NOT NULL,
  -- degraded: the last good row, kept; error: no row could be built.
  standing text NOT NULL CHECK (standing IN ('good', 'degraded', 'error')),
  ranked boolean NOT NULL,
  rank integer,
  days_live integer NOT NULL,
  trades_total bigint NOT NULL,
  violations_30d integer NOT NULL,
  independent_owners integer NOT NULL,
  independent_principal_usdc bigint NOT NULL,
  accepting boolean NOT NULL,
  operator text,
  house boolean NOT NULL,
  -- Sort keys by window: 7d, 30d, 90d, all.
  worth_low_bps integer[] NOT NULL,
  adherence_pct real[] NOT NULL,
  trades bigint[] NOT NULL,
  drawdown_bps integer[] NOT NULL,
  -- The row without what a window decides, what each window decides, and what the page of the agent adds.
  body jsonb NOT NULL,
  windows jsonb NOT NULL,
  detail jsonb NOT NULL
);

-- The order of a list: agents as 8 bytes each. EXTERNAL lets a page read its own bytes alone.
CREATE TABLE hall_order (
  period text NOT NULL,
  sort text NOT NULL,
  accepting boolean NOT NULL,
  operator text NOT NULL,
  total integer NOT NULL,
  agents bytea NOT NULL,
  PRIMARY KEY (period, sort, accepting, operator)
);
ALTER TABLE hall_order ALTER COLUMN agents SET STORAGE EXTERNAL;

-- The newest pass. One row.
CREATE TABLE hall_snapshot (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  seq bigint NOT NULL,
  computed_at timestamptz NOT NULL,
  agents integer NOT NULL,
  proof jsonb NOT NULL
);
