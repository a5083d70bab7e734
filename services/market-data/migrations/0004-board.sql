-- A board, written in one transaction. `inputs` is everything from which `rows` was computed, including the state carried
-- from the previous snapshot, so that `rows` can be computed again. Both are zstd-compressed JSON.
CREATE TABLE board_snapshot (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  computed_at timestamptz NOT NULL UNIQUE,
  formula_version text NOT NULL,
  source text NOT NULL CHECK (source IN ('live', 'replay', 'mixed')),
  tokens integer NOT NULL CHECK (tokens >= 0),
  graded integer NOT NULL CHECK (graded >= 0),
  inputs bytea NOT NULL,
  inputs_sha256 text NOT NULL CHECK (inputs_sha256 ~ '^[0-9a-f]{64}$'),
  rows bytea NOT NULL
);

-- Lifecycle changes of a token with cause and evidence, append-only. `seq` is gap-free per token.
CREATE TABLE lifecycle_event (
  token_id text NOT NULL,
  seq integer NOT NULL,
  instance_id integer NOT NULL REFERENCES token_instance,
  from_state text,
  to_state text NOT NULL CHECK (to_state IN ('new', 'active', 'watch', 'at_risk', 'halted', 'delisted')),
  cause text NOT NULL,
  evidence jsonb NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (token_id, seq)
);

REVOKE UPDATE, DELETE, TRUNCATE ON lifecycle_event FROM market_data_app;
