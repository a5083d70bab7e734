-- Owners' own accounts at the venue. An owner has one linked wallet, and a wallet one owner, on each network. Addresses are
-- lower case. A link ends when its owner links another wallet; the row stays, because orders name it.
CREATE TABLE own_account (
  link_id text PRIMARY KEY CHECK (link_id ~ '^own_[0-9a-f]{32}$'),
  owner_id bigint NOT NULL,
  network text NOT NULL CHECK (network IN ('testnet', 'mainnet')),
  wallet text NOT NULL CHECK (wallet ~ '^0x[0-9a-f]{40}$'),
  linked_at timestamptz NOT NULL,
  ended_at timestamptz,
  -- The terms that the owner named when linking; null if none were named.
  terms_hash text,
  -- Why the venue's account may not be traded, as last read; null if it may.
  refused text CHECK (refused IN
    ('unknown_at_venue', 'sub_account', 'vault', 'agent', 'unified_account', 'portfolio_margin', 'other_mode')),
  -- The order key that was enabled last, or offered before the first; null before the first offer.
  key_state text NOT NULL DEFAULT 'none' CHECK (key_state IN ('none', 'offered', 'enabled', 'revoked', 'expired', 'orphaned')),
  epoch integer,
  agent_address text CHECK (agent_address ~ '^0x[0-9a-f]{40}$'),
  seed_fingerprint text,
  valid_until timestamptz,
  -- What the owner lets our builder charge, in tenths of a basis point, and when the venue said so.
  builder_address text CHECK (builder_address ~ '^0x[0-9a-f]{40}$'),
  builder_fee_max integer CHECK (builder_fee_max >= 0),
  builder_read_at timestamptz,
  -- When the account was examined at the venue; null: due at once.
  surveyed_at timestamptz,
  CHECK (key_state = 'none' OR (epoch IS NOT NULL AND agent_address IS NOT NULL AND seed_fingerprint IS NOT NULL))
);
CREATE UNIQUE INDEX own_account_owner ON own_account (network, owner_id) WHERE ended_at IS NULL;
CREATE UNIQUE INDEX own_account_wallet ON own_account (network, wallet) WHERE ended_at IS NULL;
CREATE INDEX own_account_survey ON own_account (network, surveyed_at NULLS FIRST) WHERE ended_at IS NULL;

-- Keys that were derived for a link. The venue approves an address once, so an epoch is never used again.
CREATE TABLE order_key (
  link_id text NOT NULL,
  epoch integer NOT NULL CHECK (epoch >= 0),
  agent_address text NOT NULL UNIQUE,
  seed_fingerprint text NOT NULL,
  derived_at timestamptz NOT NULL,
  -- The venue has seen the address: it was approved once, or the venue says so.
  used_at timestamptz,
  PRIMARY KEY (link_id, epoch)
);

-- Actions as they were served for the wallet to sign. The exact text is kept: strings hash as they were written.
CREATE TABLE wallet_offer (
  link_id text NOT NULL REFERENCES own_account,
  nonce bigint NOT NULL,
  kind text NOT NULL CHECK (kind IN ('order_key', 'builder_fee', 'web_key')),
  -- What the offer is for: the address of the key or builder.
  subject text NOT NULL,
  epoch integer,
  action text NOT NULL,
  valid_until timestamptz,
  served_at timestamptz NOT NULL,
  -- The bytes that were relayed, stored before they were sent.
  body text,
  PRIMARY KEY (link_id, nonce)
);
CREATE INDEX wallet_offer_served ON wallet_offer (served_at);

-- What owners intend to trade. Nothing follows from a row.
CREATE TABLE own_intent (
  intent_id text PRIMARY KEY CHECK (intent_id ~ '^int_[0-9a-f]{32}$'),
  owner_id bigint NOT NULL,
  market text NOT NULL,
  side text NOT NULL CHECK (side IN ('buy', 'sell')),
  -- Base units of USDC.
  amount numeric(39) NOT NULL CHECK (amount > 0),
  note text,
  recorded_at timestamptz NOT NULL
);
CREATE INDEX own_intent_owner ON own_intent (owner_id, recorded_at);
