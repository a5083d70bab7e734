-- Calls that are held for the owner. Bound to the exact call by call_hash; amounts are USDC base units.
CREATE TABLE approval (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  mandate_id bigint NOT NULL REFERENCES mandate,
  call_hash text NOT NULL,
  target text NOT NULL,
  data text NOT NULL,
  amount numeric(39) NOT NULL,
  status text NOT NULL CHECK (status IN ('pending', 'approved', 'declined', 'used', 'expired')),
  requested_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  decided_at timestamptz,
  -- The execution that used it up; null again when a reorganisation took that away.
  used_tx text,
  used_ordinal integer,
  CHECK ((status = 'used') = (used_tx IS NOT NULL)),
  CHECK (status NOT IN ('approved', 'declined', 'used') OR decided_at IS NOT NULL)
);
-- A retry finds the item that is open instead of making a second one.
CREATE UNIQUE INDEX approval_open_once ON approval (mandate_id, call_hash) WHERE status IN ('pending', 'approved');
CREATE UNIQUE INDEX approval_used_once ON approval (used_tx, used_ordinal) WHERE used_tx IS NOT NULL;
CREATE INDEX approval_of_mandate ON approval (mandate_id, seq DESC);
CREATE INDEX approval_lapsing ON approval (expires_at) WHERE status IN ('pending', 'approved');

-- Every Executed of a vault as the guard judged it. The highest revision of a fact counts.
CREATE TABLE execution (
  chain_id bigint NOT NULL,
  tx_hash text NOT NULL,
  log_ordinal integer NOT NULL,
  mandate_id bigint NOT NULL REFERENCES mandate,
  revision integer NOT NULL,
  canonical boolean NOT NULL,
  verdict text NOT NULL CHECK (verdict IN ('within', 'approved', 'violation', 'orphaned')),
  reason text,
  approval_id text REFERENCES approval,
  target text NOT NULL,
  selector text NOT NULL,
  approved numeric(39) NOT NULL,
  spent numeric(39) NOT NULL,
  received numeric(39) NOT NULL,
  day bigint NOT NULL,
  block_number bigint NOT NULL,
  block_time timestamptz NOT NULL,
  PRIMARY KEY (chain_id, tx_hash, log_ordinal)
);
CREATE INDEX execution_of_mandate ON execution (mandate_id, block_time DESC);

-- Refused attempts. One row for each transaction, however often it is told.
CREATE TABLE refusal (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  mandate_id bigint NOT NULL REFERENCES mandate,
  kind text NOT NULL,
  code text,
  source text NOT NULL CHECK (source IN ('chain', 'venue', 'server', 'agent', 'owner')),
  tx_hash text,
  call_hash text,
  revision integer NOT NULL DEFAULT 0,
  canonical boolean NOT NULL DEFAULT true,
  at timestamptz NOT NULL
);
CREATE UNIQUE INDEX refusal_of_transaction ON refusal (mandate_id, tx_hash) WHERE tx_hash IS NOT NULL;
CREATE INDEX refusal_of_mandate ON refusal (mandate_id, at DESC);
CREATE INDEX refusal_of_call ON refusal (mandate_id, call_hash, at DESC) WHERE call_hash IS NOT NULL;

-- What an owner is told. Sent by the alerts worker; sent_at stays null while that counts only.
CREATE TABLE alert (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner_id bigint NOT NULL,
  mandate_id bigint NOT NULL REFERENCES mandate,
  kind text NOT NULL,
  severity text NOT NULL CHECK (severity IN ('info', 'warning', 'critical')),
  text text NOT NULL,
  link text NOT NULL,
  -- Names what it is about, so that the same thing is told once.
  about text NOT NULL,
  created_at timestamptz NOT NULL,
  sent_at timestamptz,
  UNIQUE (mandate_id, kind, about)
);
CREATE INDEX alert_unsent ON alert (id) WHERE sent_at IS NULL;

-- Groups of the record: entries of one transaction, or of one held call.
CREATE INDEX record_entry_by_tx ON record_entry (mandate_id, tx_hash) WHERE tx_hash IS NOT NULL;
CREATE INDEX record_entry_by_approval ON record_entry (mandate_id, (entry->'body'->>'approval_id'))
  WHERE entry->'body' ? 'approval_id';
CREATE INDEX record_entry_by_time ON record_entry (mandate_id, at DESC);

REVOKE DELETE, TRUNCATE ON approval, execution, refusal, alert FROM mandates_app;
