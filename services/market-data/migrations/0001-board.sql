-- A venue as it was last read. Counts are those of the last complete market list.
CREATE TABLE venue (
  exchange text PRIMARY KEY CHECK (exchange ~ '^[a-z0-9]{2,32}$'),
  source text NOT NULL CHECK (source IN ('live', 'replay')),
  list_count integer NOT NULL DEFAULT 0 CHECK (list_count >= 0),
  list_seq bigint NOT NULL DEFAULT 0,
  listed_at timestamptz,
  list_venue_time timestamptz,
  flags_at timestamptz
);

-- A symbol at a venue. It outlives the tokens that carry it one after the other.
CREATE TABLE token (
  token_id text PRIMARY KEY CHECK (length(token_id) BETWEEN 5 AND 100),
  exchange text NOT NULL REFERENCES venue,
  symbol text NOT NULL CHECK (length(symbol) BETWEEN 3 AND 65),
  base text NOT NULL CHECK (length(base) BETWEEN 1 AND 32),
  quote text NOT NULL CHECK (length(quote) BETWEEN 1 AND 32),
  name text CHECK (length(name) <= 200),
  -- The instance that carries the symbol now, or carried it last.
  instance_id integer NOT NULL UNIQUE,
  lifecycle_seq integer NOT NULL DEFAULT 0,
  UNIQUE (exchange, symbol)
);
CREATE INDEX token_by_base ON token (base, exchange);

-- One asset under a symbol, from its listing to its delisting. A symbol that is listed again after that is another asset.
CREATE TABLE token_instance (
  instance_id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  token_id text NOT NULL,
  predecessor_id integer REFERENCES token_instance,
  -- The venue's own listing time where it gives one.
  listed_at timestamptz,
  first_seen_at timestamptz NOT NULL,
  trading text NOT NULL DEFAULT 'trading' CHECK (trading IN ('trading', 'halted', 'delisted')),
  trading_since timestamptz NOT NULL,
  -- Complete lists in a row that did not contain the symbol.
  missing_lists smallint NOT NULL DEFAULT 0 CHECK (missing_lists >= 0),
  missing_since timestamptz,
  delist_cause text,
  CHECK ((trading = 'delisted') = (delist_cause IS NOT NULL))
);
CREATE INDEX token_instance_by_token ON token_instance (token_id, instance_id DESC);
CREATE INDEX token_instance_delisted ON token_instance (trading_since) WHERE trading = 'delisted';
ALTER TABLE token ADD FOREIGN KEY (instance_id) REFERENCES token_instance DEFERRABLE INITIALLY DEFERRED;

-- What a venue said about an instance, for ever: one row when a flag appears and one when it is gone.
CREATE TABLE venue_flag_event (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  instance_id integer NOT NULL REFERENCES token_instance,
  flag text NOT NULL CHECK (length(flag) BETWEEN 1 AND 100),
  meaning text NOT NULL CHECK (meaning IN ('caution', 'warning', 'margin_delisting', 'delisting_announced')),
  raised boolean NOT NULL,
  effective_at timestamptz,
  at timestamptz NOT NULL
);
CREATE INDEX venue_flag_event_newest ON venue_flag_event (instance_id, flag, id DESC);

-- Every step of a token's life with its cause and evidence, for ever. Gap-free per token.
CREATE TABLE lifecycle_event (
  token_id text NOT NULL,
  seq integer NOT NULL,
  instance_id integer NOT NULL REFERENCES token_instance,
  from_state text,
  to_state text NOT NULL CHECK (to_state IN ('new', 'active', 'watch', 'at_risk', 'halted', 'delisted')),
  cause text NOT NULL,
  evidence jsonb NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (token_id, seq)
);

-- Prices of all pairs of a venue in one minute: one row, arrays of equal length.
CREATE TABLE observation (
  exchange text NOT NULL REFERENCES venue,
  minute timestamptz NOT NULL,
  instance_ids integer[] NOT NULL,
  price double precision[] NOT NULL,
  spread_bps real[] NOT NULL,
  volume_24h_usd double precision[] NOT NULL,
  change_24h_pct real[] NOT NULL,
  -- Twice the weaker side within 2 % of the mid, from a book of this minute; null where none was read in it.
  depth_2pct_usd double precision[] NOT NULL,
  PRIMARY KEY (exchange, minute),
  CHECK (cardinality(price) = cardinality(instance_ids) AND cardinality(spread_bps) = cardinality(instance_ids)
    AND cardinality(volume_24h_usd) = cardinality(instance_ids) AND cardinality(change_24h_pct) = cardinality(instance_ids)
    AND cardinality(depth_2pct_usd) = cardinality(instance_ids))
);
CREATE INDEX observation_by_minute ON observation (minute);

-- What the one-minute candles of up to 24 hours say of an instance.
CREATE TABLE candle_features (
  instance_id integer PRIMARY KEY REFERENCES token_instance,
  minutes smallint NOT NULL CHECK (minutes BETWEEN 1 AND 1440),
  zero_trade_share real NOT NULL CHECK (zero_trade_share BETWEEN 0 AND 1),
  -- Amihud (2002), bps per $1,000; null without a traded return or a rate of the quote currency.
  amihud double precision,
  computed_at timestamptz NOT NULL
);

-- A whole board, written in one transaction. `inputs` is all that `rows` was computed from, the carried state of the
-- snapshot before included, so that anybody can compute it again. Both are zstd-compressed JSON.
CREATE TABLE board_snapshot (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  computed_at timestamptz NOT NULL UNIQUE,
  formula_version text NOT NULL,
  source text NOT NULL CHECK (source IN ('live', 'replay', 'mixed')),
  tokens integer NOT NULL CHECK (tokens >= 0),
  graded integer NOT NULL CHECK (graded >= 0),
  inputs bytea NOT NULL,
  inputs_sha256 text NOT NULL CHECK (inputs_sha256 ~ '^[0-9a-f]{64}$'),
  rows bytea NOT NULL
);

-- Failures of calls to venues by class, per hour.
CREATE TABLE venue_error (
  exchange text NOT NULL,
  hour timestamptz NOT NULL,
  class text NOT NULL,
  count integer NOT NULL CHECK (count > 0),
  PRIMARY KEY (exchange, hour, class)
);

REVOKE UPDATE, DELETE, TRUNCATE ON venue_flag_event, lifecycle_event FROM market_data_app;
REVOKE DELETE, TRUNCATE ON token, token_instance FROM market_data_app;
