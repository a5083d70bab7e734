-- One report of an account. The id follows from the account and all that the file is made from, so that the same report
-- is never made twice. generating: somebody holds it until lease_until, under the number in attempts; ready: the file is
-- stored; failed: given up, and not counted.
CREATE TABLE report (
  report_id text PRIMARY KEY CHECK (report_id ~ '^rpt_[0-9a-f]{32}$'),
  seq bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  account_id bigint NOT NULL,
  exchange text NOT NULL CHECK (length(exchange) <= 32),
  symbol text NOT NULL CHECK (length(symbol) <= 65),
  lang text NOT NULL CHECK (lang IN ('en', 'ko')),
  version text NOT NULL CHECK (version IN ('v1', 'v2')),
  status text NOT NULL CHECK (status IN ('generating', 'ready', 'failed')),
  -- Gzip-compressed JSON that the file is made from; forgotten once the file, which contains it, is stored.
  inputs bytea,
  attempts smallint NOT NULL DEFAULT 1 CHECK (attempts > 0),
  lease_until timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  pages smallint CHECK (pages > 0),
  bytes integer CHECK (bytes > 0),
  sha256 text CHECK (sha256 ~ '^[0-9a-f]{64}$'),
  CHECK ((status = 'ready') = (pages IS NOT NULL AND bytes IS NOT NULL AND sha256 IS NOT NULL)),
  CHECK ((status = 'generating') = (inputs IS NOT NULL))
);
CREATE INDEX report_of_account_pair ON report (account_id, exchange, symbol, seq DESC);
CREATE INDEX report_of_account_by_time ON report (account_id, created_at) WHERE status <> 'failed';
CREATE INDEX report_unfinished ON report (lease_until) WHERE status = 'generating';
CREATE INDEX report_by_time ON report (created_at);
