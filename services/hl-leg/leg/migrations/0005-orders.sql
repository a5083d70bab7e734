-- Orders of legs. A row exists before the order is judged, and has its signed bytes before they are sent; what is sent
-- again is these bytes. The venue admits a nonce once, so no order executes twice.
CREATE TABLE leg_order (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  public_id text NOT NULL,
  -- The Idempotency-Key, else client_id, else random: one key of a mandate is one order.
  order_key text NOT NULL,
  request_hash text NOT NULL,
  client_id text,
  account_id bigint,
  ordered_by text NOT NULL CHECK (ordered_by IN ('owner', 'agent', 'stop_line', 'return')),
  owner_id bigint NOT NULL,
  -- The owner's account at the venue, lower case.
  account text NOT NULL CHECK (account ~ '^0x[0-9a-f]{40}$'),
  network text NOT NULL CHECK (network IN ('testnet', 'mainnet')),
  market text NOT NULL,
  coin text NOT NULL,
  dex text NOT NULL,
  side text NOT NULL CHECK (side IN ('buy', 'sell')),
  opening boolean NOT NULL,
  size numeric NOT NULL CHECK (size > 0),
  worst_price numeric NOT NULL,
  mark_price numeric NOT NULL,
  notional_usdc numeric NOT NULL,
  cloid text NOT NULL CHECK (cloid ~ '^0x[0-9a-f]{32}$'),
  -- judging: mandates is asked; signed: the bytes are stored and may be at the venue; the others are final. missed:
  -- nothing was executed; rejected: the same, with the venue's reason.
  state text NOT NULL CHECK (state IN ('judging', 'signed', 'filled', 'partial', 'missed', 'rejected')),
  claimed_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  -- Readings that the order was judged by.
  readings json NOT NULL,
  book_time bigint NOT NULL,
  judgement json,
  terms_hash text,
  usage json,
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
  bad_fill_usdc numeric NOT NULL DEFAULT 0,
  fills json NOT NULL DEFAULT '[]',
  reason text,
  resolved_at timestamptz,
  -- When mandates acknowledged what became of it.
  told_at timestamptz,
  position json,
  receipt text,
  UNIQUE (public_id, order_key),
  CHECK ((state IN ('judging', 'signed')) = (resolved_at IS NULL)),
  CHECK (state <> 'signed' OR (body IS NOT NULL AND nonce IS NOT NULL AND expires_after IS NOT NULL))
);
CREATE UNIQUE INDEX leg_order_client ON leg_order (public_id, client_id) WHERE client_id IS NOT NULL;
-- One open of a leg is at the venue at a time.
CREATE UNIQUE INDEX leg_order_one_open ON leg_order (public_id) WHERE opening AND state IN ('judging', 'signed');
CREATE INDEX leg_order_due ON leg_order (next_at) WHERE next_at IS NOT NULL;
CREATE INDEX leg_order_opens ON leg_order (public_id, id DESC) WHERE opening;
CREATE INDEX leg_order_recent ON leg_order (public_id, resolved_at DESC);

-- Moves of the owner's USDC between dexes, by the same rule: stored before they are sent. `wanted` has no bytes yet.
CREATE TABLE collateral_move (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  public_id text NOT NULL,
  source_dex text NOT NULL,
  destination_dex text NOT NULL,
  amount_usdc numeric,
  state text NOT NULL CHECK (state IN ('wanted', 'signed', 'done', 'failed')),
  signer text,
  nonce bigint,
  body text,
  expires_after bigint,
  reason text,
  created_at timestamptz NOT NULL,
  next_at timestamptz NOT NULL,
  ended_at timestamptz,
  CHECK ((state IN ('wanted', 'signed')) = (ended_at IS NULL)),
  CHECK (state <> 'signed' OR body IS NOT NULL)
);
-- One move of a dex of a leg at a time, in either direction.
CREATE UNIQUE INDEX collateral_move_open ON collateral_move (public_id, source_dex, destination_dex) WHERE ended_at IS NULL;
CREATE INDEX collateral_move_due ON collateral_move (next_at) WHERE ended_at IS NULL;

-- Actions that the owner's account may still send to the venue, as last read and less what was sent since.
CREATE TABLE venue_allowance (
  network text NOT NULL CHECK (network IN ('testnet', 'mainnet')),
  account text NOT NULL,
  actions_left integer NOT NULL CHECK (actions_left >= 0),
  read_at timestamptz NOT NULL,
  PRIMARY KEY (network, account)
);
