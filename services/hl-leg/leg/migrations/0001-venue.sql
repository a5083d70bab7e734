-- Nonces of signers. The venue admits a nonce of a signer once; processes draw them here and nowhere else.
CREATE TABLE signer (
  address text PRIMARY KEY CHECK (address ~ '^0x[0-9a-f]{40}$'),
  last_nonce bigint NOT NULL
);

-- Weight of requests that processes spent at the venue, by second. The venue counts it per network address and minute.
-- `lent`: a lower class spent it from the share of this class.
CREATE TABLE venue_weight (
  egress text NOT NULL,
  class text NOT NULL CHECK (class IN ('closes', 'orders', 'worth', 'relays')),
  lent boolean NOT NULL,
  at timestamptz NOT NULL,
  weight integer NOT NULL CHECK (weight > 0),
  PRIMARY KEY (egress, class, lent, at)
);

-- Perpetual exchanges (dexes) of the venue as its list last named them; `place` is the number in that list.
CREATE TABLE venue_dex (
  network text NOT NULL CHECK (network IN ('testnet', 'mainnet')),
  name text NOT NULL,
  place integer NOT NULL CHECK (place >= 0),
  read_at timestamptz NOT NULL,
  PRIMARY KEY (network, name)
);

-- Markets of the dexes that this deployment reads, delisted ones included: orders name a market by its place.
CREATE TABLE venue_market (
  network text NOT NULL CHECK (network IN ('testnet', 'mainnet')),
  coin text NOT NULL,
  dex text NOT NULL,
  asset integer NOT NULL CHECK (asset >= 0),
  size_decimals integer NOT NULL CHECK (size_decimals BETWEEN 0 AND 6),
  max_leverage integer NOT NULL CHECK (max_leverage > 0),
  usdc boolean NOT NULL,
  listed boolean NOT NULL,
  mark numeric NOT NULL,
  volume numeric NOT NULL,
  read_at timestamptz NOT NULL,
  PRIMARY KEY (network, coin)
);

-- How far the venue's clock was ahead of ours when they were last compared.
CREATE TABLE venue_clock (
  network text PRIMARY KEY CHECK (network IN ('testnet', 'mainnet')),
  skew_ms bigint NOT NULL,
  at timestamptz NOT NULL
);
