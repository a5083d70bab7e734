-- Accounts, API keys and owner sessions. Secrets are stored as SHA-256 in hex.

CREATE TABLE accounts (
  account_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('agent', 'owner')),
  wallet text NOT NULL CHECK (wallet ~ '^0x[0-9a-f]{40}$'),
  name text,
  created_at timestamptz NOT NULL,
  -- One agent account and one owner account per wallet.
  UNIQUE (wallet, kind)
);

CREATE TABLE api_keys (
  key_id text PRIMARY KEY,
  account_id bigint NOT NULL REFERENCES accounts,
  hash text NOT NULL UNIQUE CHECK (hash ~ '^[0-9a-f]{64}$'),
  name text NOT NULL,
  scopes text[] NOT NULL CHECK (scopes <@ ARRAY['read', 'write', 'tx']),
  created_at timestamptz NOT NULL,
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz
) WITH (fillfactor = 90);
CREATE INDEX api_keys_live ON api_keys (account_id) WHERE revoked_at IS NULL;
CREATE INDEX api_keys_over ON api_keys (least(revoked_at, expires_at));

CREATE TABLE sessions (
  session_id text PRIMARY KEY CHECK (session_id ~ '^[0-9a-f]{32}$'),
  account_id bigint NOT NULL REFERENCES accounts,
  -- The family secret is the same in every refresh token of the session; the turn secret is the newest one's.
  family_hash text NOT NULL CHECK (family_hash ~ '^[0-9a-f]{64}$'),
  turn_hash text NOT NULL CHECK (turn_hash ~ '^[0-9a-f]{64}$'),
  started_at timestamptz NOT NULL,
  refresh_until timestamptz NOT NULL,
  ended_at timestamptz,
  end_reason text CHECK (end_reason IN ('logout', 'reuse', 'replaced')),
  CHECK ((ended_at IS NULL) = (end_reason IS NULL))
) WITH (fillfactor = 90);
CREATE INDEX sessions_live ON sessions (account_id, started_at) WHERE ended_at IS NULL;
CREATE INDEX sessions_over ON sessions (least(ended_at, refresh_until));
