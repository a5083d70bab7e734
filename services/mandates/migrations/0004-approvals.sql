-- Calls that wait for the owner. Bound to the exact call by call_hash; amounts are USDC base units.
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
  -- Newest block that was known at the decision, which orders it against the chain; null if the chain could not be read.
  decided_block bigint,
  decided_block_hash text,
  decided_block_time timestamptz,
  -- True once a reorganisation has removed that block.
  decided_block_replaced boolean NOT NULL DEFAULT false,
  -- The execution that used the approval; null again after a reorganisation removed the execution.
  used_tx text,
  used_ordinal integer,
  CHECK ((status = 'used') = (used_tx IS NOT NULL)),
  CHECK (status NOT IN ('approved', 'declined', 'used') OR decided_at IS NOT NULL)
);
-- A retry finds the open item instead of creating a second one.
CREATE UNIQUE INDEX approval_open_once ON approval (mandate_id, call_hash) WHERE status IN ('pending', 'approved');
CREATE UNIQUE INDEX approval_used_once ON approval (used_tx, used_ordinal) WHERE used_tx IS NOT NULL;
CREATE INDEX approval_of_mandate ON approval (mandate_id, seq DESC);
CREATE INDEX approval_of_call ON approval (mandate_id, call_hash, seq DESC);
CREATE INDEX approval_lapsing ON approval (expires_at) WHERE status IN ('pending', 'approved');
CREATE TRIGGER approval_touches AFTER INSERT OR UPDATE ON approval FOR EACH ROW EXECUTE FUNCTION touch_mandate();

-- Every Executed of a vault with the guard's verdict. The highest revision of a fact counts.
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
  -- Approvals whose calldata the transaction contains.
  carries text[] NOT NULL DEFAULT '{}',
  target text NOT NULL,
  selector text NOT NULL,
  approved numeric(39) NOT NULL,
  spent numeric(39) NOT NULL,
  received numeric(39) NOT NULL,
  day bigint NOT NULL,
  block_number bigint NOT NULL,
  block_time timestamptz NOT NULL,
  -- Block in which the execution was first seen: a reorganisation that moves it does not change what came before it.
  first_block bigint NOT NULL,
  PRIMARY KEY (chain_id, tx_hash, log_ordinal)
);
CREATE INDEX execution_of_mandate ON execution (mandate_id, block_time DESC);
-- What Record strips count.
CREATE INDEX execution_standing ON execution (mandate_id, verdict) WHERE canonical;

-- Refused attempts. One row for each transaction, however often it is reported.
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
-- Reports that a receipt proved and the scan of reverted calls has not confirmed.
CREATE INDEX refusal_of_receipt ON refusal (id) WHERE source = 'chain' AND revision = 0 AND canonical;
CREATE TRIGGER refusal_touches AFTER INSERT OR UPDATE ON refusal FOR EACH ROW EXECUTE FUNCTION touch_mandate();

REVOKE DELETE, TRUNCATE ON approval, execution, refusal FROM mandates_app;
