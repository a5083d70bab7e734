-- Signals of operator vaults, numbered without gaps. Each hash covers the one before it, so nothing can be changed,
-- removed or put in between without showing.
CREATE TABLE signal (
  vault_id text NOT NULL REFERENCES operator (vault_id),
  seq integer NOT NULL CHECK (seq > 0),
  id text NOT NULL UNIQUE,
  -- The operator's own name for the signal: the same name again is the same signal.
  client_id text NOT NULL,
  market text NOT NULL,
  side text NOT NULL CHECK (side IN ('long', 'short', 'flat')),
  weight_bps integer NOT NULL CHECK (weight_bps BETWEEN 0 AND 10000),
  limit_price text,
  valid_until timestamptz,
  note text,
  -- Mark price of the venue as we read it, and when we did.
  recorded_price text NOT NULL,
  recorded_at timestamptz NOT NULL,
  -- 32 random bytes, hex. Without them nobody can guess an unpaid signal from its hash.
  salt text NOT NULL,
  -- Empty for the first signal of a vault.
  previous_hash text NOT NULL,
  hash text NOT NULL,
  PRIMARY KEY (vault_id, seq),
  UNIQUE (vault_id, client_id),
  CHECK ((side = 'flat') = (weight_bps = 0))
);
REVOKE UPDATE, DELETE, TRUNCATE ON signal FROM gallery_app;
