-- What gallery knows of agents and mandates, as identity and mandates tell it. All of it may be dropped and asked for again.
CREATE TABLE fact_agent (
  agent_id bigint PRIMARY KEY,
  name text NOT NULL,
  registered_at timestamptz NOT NULL,
  wallet text NOT NULL,
  -- The paired owner.
  owner_id bigint,
  accepts boolean NOT NULL,
  policy_changes jsonb NOT NULL
);
CREATE INDEX fact_agent_of_owner ON fact_agent (owner_id) WHERE owner_id IS NOT NULL;

CREATE TABLE fact_owner (
  owner_id bigint PRIMARY KEY,
  wallet text NOT NULL
);

CREATE TABLE fact_mandate (
  public_id text PRIMARY KEY,
  -- Names the mandate in fact_day in four bytes; another one after a rebuild.
  no integer GENERATED ALWAYS AS IDENTITY UNIQUE,
  agent_id bigint NOT NULL,
  owner_id bigint NOT NULL,
  state text NOT NULL CHECK (state IN ('signed', 'working', 'paused', 'stopped', 'ended', 'closed')),
  public_proof boolean NOT NULL,
  chain_id bigint,
  vault text,
  hl_leg boolean NOT NULL,
  principal_usdc bigint NOT NULL CHECK (principal_usdc >= 0),
  opened_at timestamptz,
  ended_at timestamptz,
  record_seq bigint NOT NULL,
  record_hash text NOT NULL,
  trades_total bigint NOT NULL
);
CREATE INDEX fact_mandate_of_agent ON fact_mandate (agent_id);

-- A UTC day of a mandate with its rating (docs/method/hall.md). Written with its mandate, so it needs no foreign key, which
-- would cost a look-up for each of millions of rows.
CREATE TABLE fact_day (
  -- What the mandate had at work at the beginning of the day and at most during it, and the day's result on the latter.
  start_usdc bigint NOT NULL,
  peak_usdc bigint NOT NULL CHECK (peak_usdc >= start_usdc),
  gain_usdc bigint NOT NULL,
  -- The last point of the day, with which the next day begins; null without one.
  worth_usdc bigint,
  paid_in_usdc bigint,
  paid_out_usdc bigint,
  mandate_no integer NOT NULL,
  day date NOT NULL,
  trades integer NOT NULL,
  violations integer NOT NULL,
  foreign_fills integer NOT NULL,
  -- By kind; null without any.
  refusals jsonb,
  -- Blocks of the points, for mandates that anybody may verify.
  blocks bigint[],
  PRIMARY KEY (mandate_no, day),
  CHECK ((worth_usdc IS NULL) = (paid_in_usdc IS NULL) AND (worth_usdc IS NULL) = (paid_out_usdc IS NULL))
);

-- Grows with every change of facts of an agent, so that a row of the Hall says from which facts it was computed.
CREATE SEQUENCE fact_version;
CREATE TABLE fact_change (
  agent_id bigint PRIMARY KEY,
  version bigint NOT NULL
);

-- What to ask for again.
CREATE TABLE fact_dirty (
  kind text NOT NULL CHECK (kind IN ('agent', 'mandate')),
  -- The agent's id, or the public id of the mandate.
  id text NOT NULL,
  agent_id bigint NOT NULL,
  -- First day that may differ; null: any day.
  from_day date,
  -- Another one with every mark, so that an answer does not end a mark that came while it was asked for.
  version bigint NOT NULL DEFAULT nextval('fact_version'),
  since timestamptz NOT NULL,
  -- Of the rebuild that marked it.
  rebuild integer,
  tries integer NOT NULL DEFAULT 0,
  retry_at timestamptz,
  PRIMARY KEY (kind, id)
);
CREATE INDEX fact_dirty_oldest ON fact_dirty (kind, since);
CREATE INDEX fact_dirty_of_agent ON fact_dirty (agent_id, since);

-- A rebuild lists all ids and asks for everything again.
CREATE TABLE fact_rebuild (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Version of the rating.
  method text NOT NULL,
  -- Last listed ids; null before the first page.
  agents_after bigint,
  mandates_after text,
  agents_listed boolean NOT NULL DEFAULT false,
  mandates_listed boolean NOT NULL DEFAULT false,
  began_at timestamptz NOT NULL,
  ended_at timestamptz
);
-- One at a time.
CREATE UNIQUE INDEX fact_rebuild_open ON fact_rebuild ((true)) WHERE ended_at IS NULL;
