-- The last seven days of a watched pair by the hour: prices and volumes from one call of the venue, spread and depth as the
-- board observed them. One row a pair, arrays of equal length from `first_hour`; null where an hour is unknown. Scans replace
-- these figures as they come.
CREATE TABLE target_hours (
  instance_id integer PRIMARY KEY REFERENCES token_instance,
  read_at timestamptz NOT NULL,
  first_hour timestamptz NOT NULL,
  high double precision[] NOT NULL,
  low double precision[] NOT NULL,
  close double precision[] NOT NULL,
  volume_usd double precision[] NOT NULL,
  spread_bps real[] NOT NULL,
  depth_2pct_usd real[] NOT NULL,
  depth_truncated boolean[] NOT NULL,
  CHECK (cardinality(close) BETWEEN 1 AND 200 AND cardinality(high) = cardinality(close)
    AND cardinality(low) = cardinality(close) AND cardinality(volume_usd) = cardinality(close)
    AND cardinality(spread_bps) = cardinality(close) AND cardinality(depth_2pct_usd) = cardinality(close)
    AND cardinality(depth_truncated) = cardinality(close))
);
CREATE INDEX target_hours_by_age ON target_hours (read_at);

-- Other listings of an asset are found by its approved address.
CREATE INDEX verified_contract_by_address ON verified_contract (address) WHERE address IS NOT NULL;
