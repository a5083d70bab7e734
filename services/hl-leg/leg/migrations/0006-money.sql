-- Transfers of leg money. A row exists before anything is sent for it. `chain` and `venue` say what is known of its two
-- sides; `state` and `open` follow from them and are stored for reading. Amounts are USDC base units.
CREATE TABLE transfer (
  transfer_id text PRIMARY KEY CHECK (transfer_id ~ '^ltr_[0-9a-f]{32}$'),
  public_id text NOT NULL,
  kind text NOT NULL CHECK (kind IN
    ('fund', 'return', 'payment', 'turn_back', 'closing', 'fallback', 'activation', 'refund')),
  network text NOT NULL CHECK (network IN ('testnet', 'mainnet')),
  -- Lower case, as the venue writes it.
  owner_address text NOT NULL CHECK (owner_address ~ '^0x[0-9a-f]{40}$'),
  chain_id bigint,
  vault text,
  amount numeric(39) NOT NULL CHECK (amount >= 0),
  last boolean NOT NULL DEFAULT false,
  -- Reference of giveBack; the gateway accepts one once.
  ref text UNIQUE CHECK (ref ~ '^0x[0-9a-f]{64}$'),
  chain text NOT NULL DEFAULT 'none' CHECK (chain IN ('none', 'sending', 'seen', 'lost', 'failed')),
  venue text NOT NULL DEFAULT 'none' CHECK (venue IN ('none', 'signed', 'landed', 'refused', 'void')),
  state text NOT NULL,
  open boolean NOT NULL,
  reason text,
  tx_hash text,
  -- Nonce of the signed bytes, Unix milliseconds.
  nonce bigint,
  -- The action that the owner's wallet signs, as it was handed out.
  action json,
  -- The signed bytes. They are stored before they are sent and never change.
  body text,
  -- A copy was sent whose fate at the venue is not known.
  copy_unknown boolean NOT NULL DEFAULT false,
  venue_hash text,
  venue_at timestamptz,
  opened_at timestamptz NOT NULL,
  changed_at timestamptz NOT NULL,
  CHECK ((venue IN ('none', 'void')) OR kind IN ('payment') OR body IS NOT NULL),
  CHECK ((venue_hash IS NULL) = (venue_at IS NULL)),
  CHECK (venue <> 'landed' OR venue_hash IS NOT NULL)
);
-- An entry of the venue's ledger belongs to one transfer.
CREATE UNIQUE INDEX transfer_entry ON transfer (network, venue_hash) WHERE venue_hash IS NOT NULL;
-- One funding and one return of a leg at a time.
CREATE UNIQUE INDEX transfer_funding ON transfer (public_id) WHERE open AND kind = 'fund';
CREATE UNIQUE INDEX transfer_return ON transfer (public_id) WHERE open AND kind IN ('return', 'closing', 'fallback');
-- An address is opened once.
CREATE UNIQUE INDEX transfer_activation ON transfer (network, owner_address)
  WHERE kind = 'activation' AND state <> 'refused';
CREATE UNIQUE INDEX transfer_nonce ON transfer (public_id, nonce) WHERE kind = 'return';
CREATE INDEX transfer_of_mandate ON transfer (public_id, opened_at);
CREATE INDEX transfer_of_owner ON transfer (network, owner_address, opened_at);
CREATE INDEX transfer_open ON transfer (transfer_id) WHERE open;
CREATE INDEX transfer_changed ON transfer (changed_at);

-- Every step of every transfer.
CREATE TABLE transfer_step (
  transfer_id text NOT NULL REFERENCES transfer,
  number integer NOT NULL CHECK (number > 0),
  event text NOT NULL,
  state text NOT NULL,
  detail text,
  at timestamptz NOT NULL,
  PRIMARY KEY (transfer_id, number)
);

-- Test money that an owner address owes the house: positive when it began to owe, negative when it paid.
CREATE TABLE leg_debt (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  network text NOT NULL,
  owner_address text NOT NULL,
  public_id text,
  cause text NOT NULL CHECK (cause IN ('fallback', 'unbacked', 'payment', 'written_off')),
  amount numeric(39) NOT NULL CHECK (amount <> 0),
  transfer_id text REFERENCES transfer,
  venue_hash text,
  at timestamptz NOT NULL
);
CREATE UNIQUE INDEX leg_debt_of_transfer ON leg_debt (transfer_id, cause) WHERE transfer_id IS NOT NULL;
CREATE UNIQUE INDEX leg_debt_of_entry ON leg_debt (network, venue_hash) WHERE venue_hash IS NOT NULL;
CREATE INDEX leg_debt_of_owner ON leg_debt (network, owner_address);

REVOKE DELETE, TRUNCATE ON transfer FROM hl_leg_app;
REVOKE UPDATE, DELETE, TRUNCATE ON transfer_step, leg_debt FROM hl_leg_app;

-- An account's value at a reading against foreign money, transfers and the profit of its trades. USDC base units.
CREATE TABLE leg_explanation (
  public_id text PRIMARY KEY,
  value numeric(39) NOT NULL,
  expected numeric(39) NOT NULL,
  holds boolean NOT NULL,
  read_at timestamptz NOT NULL
);
