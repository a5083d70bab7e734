-- Why a leg opens nothing. stop_line: from the first reading at or below the line until one above it. agent_silent: until
-- the owner binds the leg again. One row for each cause, the newest bar.
CREATE TABLE open_bar (
  public_id text NOT NULL,
  cause text NOT NULL CHECK (cause IN ('stop_line', 'agent_silent')),
  since timestamptz NOT NULL,
  -- Null while opens are barred.
  ended_at timestamptz,
  PRIMARY KEY (public_id, cause)
);

-- Closings of all positions of a leg by the stop-line worker. A row exists before the first order is sent, so that a
-- worker that ends at any point goes on with it. Amounts are USDC base units.
CREATE TABLE closing (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  public_id text NOT NULL,
  cause text NOT NULL CHECK (cause IN ('stop_line', 'agent_silent')),
  -- What the second reading showed; null for silence.
  worth numeric(39),
  line numeric(39),
  read_at timestamptz NOT NULL,
  started_at timestamptz NOT NULL,
  -- Runs in a row after which a position was left for a reason that may pass.
  transient_ticks integer NOT NULL DEFAULT 0,
  -- What was executed so far, as the owner is told.
  closed jsonb NOT NULL DEFAULT '[]',
  -- When mandates acknowledged the stop.
  told_at timestamptz,
  -- When no position was left and the stop was acknowledged.
  ended_at timestamptz,
  CHECK ((cause = 'stop_line') = (worth IS NOT NULL AND line IS NOT NULL))
);
CREATE UNIQUE INDEX closing_open ON closing (public_id, cause) WHERE ended_at IS NULL;
CREATE INDEX closing_of_mandate ON closing (public_id, started_at);

REVOKE DELETE, TRUNCATE ON closing FROM hl_leg_app;
