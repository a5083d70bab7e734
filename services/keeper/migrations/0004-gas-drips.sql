-- Drips of test ether, each with the transaction that pays it. A row exists before its transaction is signed. It is deleted
-- only if that transaction never left: it ended without a nonce, as do those of a local chain that no longer exists.
CREATE TABLE gas_grant (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  chain_id bigint NOT NULL,
  -- The wallet that is paid, EIP-55.
  address text NOT NULL,
  -- A wallet gets a first and a second drip, and never a third.
  n smallint NOT NULL CHECK (n IN (1, 2)),
  account_id bigint NOT NULL,
  -- What the account had at that time: half of each daily bound is kept for signed.
  standing text NOT NULL CHECK (standing IN ('draft', 'signed')),
  amount_wei numeric(39) NOT NULL CHECK (amount_wei > 0),
  -- Balance of the wallet before.
  balance_wei numeric(39) NOT NULL,
  -- UTC day whose bounds it uses.
  day date NOT NULL,
  granted_at timestamptz NOT NULL,
  idempotency_key text,
  transaction_id bigint NOT NULL UNIQUE REFERENCES transaction,
  UNIQUE (chain_id, address, n)
);
CREATE INDEX gas_grant_of_account ON gas_grant (account_id);
CREATE INDEX gas_grant_of_day ON gas_grant (chain_id, day);
CREATE UNIQUE INDEX gas_grant_key ON gas_grant (account_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
REVOKE UPDATE, TRUNCATE ON gas_grant FROM keeper_app;

-- When an account last asked for a drip.
CREATE TABLE gas_drip_call (
  account_id bigint PRIMARY KEY,
  called_at timestamptz NOT NULL
);
CREATE INDEX gas_drip_call_old ON gas_drip_call (called_at);

-- The account that pays drips, as of a block: what it had and received is what it has, sent, paid for gas and lost.
CREATE TABLE gas_funder (
  chain_id bigint NOT NULL,
  address text NOT NULL,
  block_number bigint NOT NULL,
  -- Number of its transactions up to that block.
  nonce bigint NOT NULL,
  opening_wei numeric(39) NOT NULL,
  received_wei numeric(39) NOT NULL DEFAULT 0,
  balance_wei numeric(39) NOT NULL,
  sent_wei numeric(39) NOT NULL DEFAULT 0,
  fees_wei numeric(39) NOT NULL DEFAULT 0,
  -- What left it and no row explains.
  unexplained_wei numeric(39) NOT NULL DEFAULT 0,
  checked_at timestamptz NOT NULL,
  PRIMARY KEY (chain_id, address),
  CHECK (opening_wei + received_wei = balance_wei + sent_wei + fees_wei + unexplained_wei)
);

-- That the funds are low: one row a UTC day, and what became of its message to the operators.
CREATE TABLE funding_alert (
  chain_id bigint NOT NULL,
  address text NOT NULL,
  day date NOT NULL,
  balance_wei numeric(39) NOT NULL,
  created_at timestamptz NOT NULL,
  -- Calls of that day that were answered with funding_low.
  caps integer NOT NULL DEFAULT 0,
  tries integer NOT NULL DEFAULT 0,
  -- When the message is tried next; null once it was sent or given up.
  try_at timestamptz,
  sent_at timestamptz,
  PRIMARY KEY (chain_id, address, day)
);
CREATE INDEX funding_alert_due ON funding_alert (try_at) WHERE try_at IS NOT NULL;
