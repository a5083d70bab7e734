-- Pairing of agents with owners, policies of agents, and when agents were last seen.

CREATE TABLE pairings (
  -- An agent has one owner, for good.
  agent_id bigint PRIMARY KEY REFERENCES accounts,
  owner_id bigint NOT NULL REFERENCES accounts,
  paired_at timestamptz NOT NULL
);
CREATE INDEX pairings_owner ON pairings (owner_id, agent_id);
REVOKE UPDATE, DELETE, TRUNCATE ON pairings FROM identity_app;

CREATE TABLE pair_codes (
  -- HMAC-SHA-256 in hex: a code is short enough to be found from a plain hash.
  code_hash text PRIMARY KEY CHECK (code_hash ~ '^[0-9a-f]{64}$'),
  owner_id bigint NOT NULL REFERENCES accounts,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  used_by bigint REFERENCES accounts,
  CHECK ((used_at IS NULL) = (used_by IS NULL))
);
CREATE INDEX pair_codes_owner ON pair_codes (owner_id, created_at);
CREATE INDEX pair_codes_created ON pair_codes (created_at);

CREATE TABLE wrong_pair_codes (
  agent_id bigint NOT NULL REFERENCES accounts,
  shown_at timestamptz NOT NULL
);
CREATE INDEX wrong_pair_codes_agent ON wrong_pair_codes (agent_id, shown_at);
CREATE INDEX wrong_pair_codes_shown ON wrong_pair_codes (shown_at);

-- An agent without a row accepts no mandates.
CREATE TABLE policies (
  agent_id bigint PRIMARY KEY REFERENCES accounts,
  policy jsonb NOT NULL,
  updated_at timestamptz NOT NULL
);

CREATE TABLE policy_changes (
  change_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  agent_id bigint NOT NULL REFERENCES accounts,
  changed_by bigint NOT NULL REFERENCES accounts,
  cause text NOT NULL CHECK (cause IN ('paired', 'replaced')),
  direction text NOT NULL CHECK (direction IN ('tighten', 'widen', 'mixed')),
  before jsonb NOT NULL,
  after jsonb NOT NULL,
  changed_at timestamptz NOT NULL
);
CREATE INDEX policy_changes_agent ON policy_changes (agent_id, change_id);
REVOKE UPDATE, DELETE, TRUNCATE ON policy_changes FROM identity_app;

-- Written up to twice a minute an agent; room in the pages keeps the updates off the index.
CREATE TABLE agent_activity (
  account_id bigint PRIMARY KEY REFERENCES accounts,
  last_seen_at timestamptz NOT NULL,
  channel text NOT NULL CHECK (channel IN ('http', 'mcp'))
) WITH (fillfactor = 50);
