-- Work of agents that admins have verified. A piece of work counts once, for one agent.
CREATE TABLE agent_claim (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  agent_id bigint NOT NULL,
  kind text NOT NULL CHECK (kind IN ('task_market', 'knowledge_graph')),
  ref text NOT NULL,
  evidence_url text NOT NULL,
  verified_by bigint NOT NULL,
  verified_at timestamptz NOT NULL,
  UNIQUE (kind, ref)
);
CREATE INDEX agent_claim_of_agent ON agent_claim (agent_id, kind);
REVOKE UPDATE, DELETE, TRUNCATE ON agent_claim FROM mandates_app;
