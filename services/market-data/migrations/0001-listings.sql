-- A venue and its last complete market list.
CREATE TABLE venue (
  exchange text PRIMARY KEY CHECK (exchange ~ '^[a-z0-9]{2,32}$'),
  source text NOT NULL CHECK (source IN ('live', 'replay')),
  list_count integer NOT NULL DEFAULT 0 CHECK (list_count >= 0),
  list_seq bigint NOT NULL DEFAULT 0,
  listed_at timestamptz,
  list_venue_time timestamptz,
  flags_at timestamptz
);

-- Failed calls to venues, per hour and class of failure.
CREATE TABLE venue_error (
  exchange text NOT NULL,
  hour timestamptz NOT NULL,
  class text NOT NULL,
  count integer NOT NULL CHECK (count > 0),
  PRIMARY KEY (exchange, hour, class)
);

-- A symbol at a venue. Several assets may carry it, one after another; each is a `token_instance`.
CREATE TABLE token (
  token_id text PRIMARY KEY CHECK (length(token_id) BETWEEN 5 AND 100),
  exchange text NOT NULL REFERENCES venue,
  symbol text NOT NULL CHECK (length(symbol) BETWEEN 3 AND 65),
  base text NOT NULL CHECK (length(base) BETWEEN 1 AND 32),
  quote text NOT NULL CHECK (length(quote) BETWEEN 1 AND 32),
  name text CHECK (length(name) <= 200),
  -- The instance that carries the symbol now, or that carried it last.
  instance_id integer NOT NULL UNIQUE,
  lifecycle_seq integer NOT NULL DEFAULT 0,
  UNIQUE (exchange, symbol)
);
CREATE INDEX token_by_base ON token (base, exchange);

-- One asset under a symbol, from its listing to its delisting. A later listing of the symbol is another asset.
CREATE TABLE token_instance (
  instance_id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  token_id text NOT NULL,
  predecessor_id integer REFERENCES token_instance,
  -- The listing time that the venue states; null if it states none.
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

-- Official flags of an instance, append-only: one row when a flag appears, one when it ends.
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

-- Approved contract addresses of token instances, with the time of each approval.
CREATE TABLE verified_contract (
  instance_id integer PRIMARY KEY REFERENCES token_instance,
  chain text CHECK (length(chain) <= 64),
  address text CHECK (length(address) <= 512),
  chain_at timestamptz,
  address_at timestamptz
);

REVOKE UPDATE, DELETE, TRUNCATE ON venue_flag_event FROM market_data_app;
REVOKE DELETE, TRUNCATE ON token, token_instance FROM market_data_app;
