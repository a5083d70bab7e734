-- Prices of all pairs of a venue in one minute: arrays of equal length, ordered as `instance_ids`.
CREATE TABLE observation (
  exchange text NOT NULL REFERENCES venue,
  minute timestamptz NOT NULL,
  instance_ids integer[] NOT NULL,
  price double precision[] NOT NULL,
  spread_bps real[] NOT NULL,
  volume_24h_usd double precision[] NOT NULL,
  change_24h_pct real[] NOT NULL,
  -- Twice the weaker side within 2 % of the mid, from a book of this minute; null if no book was read.
  depth_2pct_usd double precision[] NOT NULL,
  -- Whether the books of the minute were synthesised by a replay: no rule may judge them.
  books_synthetic boolean NOT NULL DEFAULT false,
  -- Whether the levels that a venue returned ended within the band, so that the depth is a lower bound; null when not recorded.
  depth_truncated boolean[],
  PRIMARY KEY (exchange, minute),
  CHECK (cardinality(price) = cardinality(instance_ids) AND cardinality(spread_bps) = cardinality(instance_ids)
    AND cardinality(volume_24h_usd) = cardinality(instance_ids) AND cardinality(change_24h_pct) = cardinality(instance_ids)
    AND cardinality(depth_2pct_usd) = cardinality(instance_ids))
);
CREATE INDEX observation_by_minute ON observation (minute);

-- Features of an instance from its one-minute candles of up to 24 hours.
CREATE TABLE candle_features (
  instance_id integer PRIMARY KEY REFERENCES token_instance,
  minutes smallint NOT NULL CHECK (minutes BETWEEN 1 AND 1440),
  zero_trade_share real NOT NULL CHECK (zero_trade_share BETWEEN 0 AND 1),
  -- Amihud (2002), bps per $1,000; null without a traded return or a rate of the quote currency.
  amihud double precision,
  computed_at timestamptz NOT NULL
);
