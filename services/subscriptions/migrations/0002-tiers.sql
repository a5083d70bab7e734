-- One row per account that ever bought a tier. The tier that counts is the stored one while
-- ends_at lies ahead; the lapse job only tidies up after it.
CREATE TABLE subscription (
  account_id bigint PRIMARY KEY,
  tier smallint NOT NULL DEFAULT 0 CHECK (tier IN (0, 1, 2)),
  started_at timestamptz,
  ends_at timestamptz,
  -- Value of the running subscription and the seconds it bought: the base of an upgrade's credit.
  paid bigint NOT NULL DEFAULT 0 CHECK (paid BETWEEN 0 AND 9007199254740991),
  bought_seconds bigint NOT NULL DEFAULT 0 CHECK (bought_seconds >= 0),
  CHECK (tier = 0 OR (started_at IS NOT NULL AND ends_at IS NOT NULL AND bought_seconds > 0))
) WITH (fillfactor = 80);
-- What the lapse job reads, oldest end first.
CREATE INDEX subscription_due ON subscription (ends_at) WHERE tier > 0;

-- Each purchase as it was charged; the base of disputes and of the ledger's reference.
CREATE TABLE purchase (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id bigint NOT NULL,
  at timestamptz NOT NULL,
  action text NOT NULL CHECK (action IN ('start', 'extend', 'upgrade')),
  tier smallint NOT NULL CHECK (tier IN (1, 2)),
  months smallint NOT NULL CHECK (months BETWEEN 1 AND 12),
  price bigint NOT NULL,
  credit bigint NOT NULL,
  charge bigint NOT NULL,
  ends_at timestamptz NOT NULL,
  -- Null when the credit covered the whole price.
  transfer_id bigint
);

-- Who changed a balance by hand, and why.
CREATE TABLE adjustment (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id bigint NOT NULL,
  amount bigint NOT NULL CHECK (amount <> 0),
  reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 500),
  admin_account_id bigint NOT NULL,
  admin_wallet text NOT NULL,
  request_id text NOT NULL,
  at timestamptz NOT NULL,
  transfer_id bigint NOT NULL
);

REVOKE UPDATE, DELETE, TRUNCATE ON purchase, adjustment FROM subscriptions_app;
