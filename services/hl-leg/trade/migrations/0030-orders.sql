-- Orders of own accounts and of paper books. A live order is a row before anything of it is signed, and has its signed
-- bytes before they are sent; what is sent again is these bytes. One confirm_id is one row, one cloid and one oid.
CREATE TABLE trade_order (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  order_id text NOT NULL UNIQUE,
  -- Null for paper, which nobody confirms.
  confirm_id text UNIQUE,
  owner_id bigint NOT NULL,
  -- The account that asked: the owner, or an agent of the owner.
  account_id bigint NOT NULL,
  requested_by text NOT NULL CHECK (requested_by IN ('owner', 'agent')),
  -- Mandate that allows the order of an agent.
  public_id text,
  -- Which caps count it: those of the terminal or those of the trade pages.
  door text NOT NULL CHECK (door IN ('terminal', 'pages')),
  -- Digest of the Idempotency-Key, with the digest of the body that it is bound to.
  order_key text,
  request_hash text NOT NULL,
  mode text NOT NULL CHECK (mode IN ('paper', 'live')),
  sign_mode text NOT NULL CHECK (sign_mode IN ('none', 'server', 'client')),
  network text NOT NULL CHECK (network IN ('testnet', 'mainnet')),
  -- The linked account at the venue, lower case; null for paper.
  account text CHECK (account ~ '^0x[0-9a-f]{40}$'),
  market text NOT NULL,
  coin text NOT NULL,
  asset integer NOT NULL,
  side text NOT NULL CHECK (side IN ('buy', 'sell')),
  -- False for an order that reduces a position, which carries reduce-only.
  opening boolean NOT NULL,
  size numeric NOT NULL,
  worst_price numeric NOT NULL,
  -- Price that the band was laid around, and the band, a fraction.
  reference_price numeric NOT NULL,
  band numeric NOT NULL,
  notional_usdc numeric NOT NULL,
  cloid text NOT NULL UNIQUE CHECK (cloid ~ '^0x[0-9a-f]{32}$'),
  -- prepared: nothing is signed. offered: a key in the browser may have signed and posted it. signed: the bytes are
  -- stored and may be at the venue. The others are final; expired: it was never signed.
  state text NOT NULL CHECK (state IN ('prepared', 'offered', 'signed', 'filled', 'partial', 'missed', 'rejected', 'expired')),
  -- UTC day on which the caps count it.
  day date NOT NULL,
  estimate json NOT NULL,
  judgement json NOT NULL,
  -- What the key in the browser signs.
  client_action json,
  prepared_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  signer text,
  nonce bigint,
  body text,
  expires_after bigint,
  signed_at timestamptz,
  -- When the job may go on with it; null if nothing is left to do.
  next_at timestamptz,
  oid bigint,
  filled_size numeric NOT NULL DEFAULT 0,
  average_price numeric,
  filled_notional_usdc numeric NOT NULL DEFAULT 0,
  fee_usdc numeric NOT NULL DEFAULT 0,
  -- True if more was executed than was prepared.
  violation boolean NOT NULL DEFAULT false,
  reason text,
  position json,
  resolved_at timestamptz,
  UNIQUE (account_id, order_key),
  CHECK ((state IN ('prepared', 'offered', 'signed')) = (resolved_at IS NULL)),
  CHECK (state <> 'signed' OR (body IS NOT NULL AND nonce IS NOT NULL AND expires_after IS NOT NULL)),
  CHECK ((mode = 'paper') = (sign_mode = 'none')),
  CHECK ((mode = 'live') = (account IS NOT NULL))
);
CREATE UNIQUE INDEX trade_order_oid ON trade_order (network, oid) WHERE oid IS NOT NULL;
CREATE INDEX trade_order_day ON trade_order (owner_id, day) WHERE mode = 'live' AND opening;
CREATE INDEX trade_order_open ON trade_order (owner_id, id DESC) WHERE resolved_at IS NULL;
CREATE INDEX trade_order_pace ON trade_order (account_id, prepared_at);
CREATE INDEX trade_order_due ON trade_order (next_at) WHERE next_at IS NOT NULL;

-- Idempotency-Keys of confirmations: one key confirms one order.
CREATE TABLE confirm_key (
  account_id bigint NOT NULL,
  confirm_key text NOT NULL,
  confirm_id text NOT NULL,
  stored_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, confirm_key)
);

-- Caps that owners changed; an owner without a row has those of the settings.
CREATE TABLE order_cap (
  owner_id bigint NOT NULL,
  door text NOT NULL CHECK (door IN ('terminal', 'pages')),
  per_order_usdc numeric NOT NULL CHECK (per_order_usdc >= 0),
  daily_usdc numeric NOT NULL CHECK (daily_usdc >= 0),
  changed_at timestamptz NOT NULL,
  PRIMARY KEY (owner_id, door)
);
