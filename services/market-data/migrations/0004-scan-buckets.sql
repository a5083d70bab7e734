-- What the scans of two hours say of a pair: reading three weeks of a target must not unpack thirty thousand scans.
-- Figures come from good scans only; null without one.
CREATE TABLE scan_bucket (
  instance_id integer NOT NULL,
  bucket timestamptz NOT NULL,
  -- Minutes of the bucket, from 0, that have a scan, and those whose scan is good.
  scanned int4multirange NOT NULL,
  good int4multirange NOT NULL,
  ok smallint NOT NULL,
  spread_bps real,
  spread_low_bps real,
  spread_high_bps real,
  spread_p95_bps real,
  depth_2pct_usd real,
  depth_low_usd real,
  depth_high_usd real,
  depth_p5_usd real,
  cost_1k_bps real,
  cost_10k_bps real,
  imbalance real,
  volume_usd double precision,
  trades integer,
  zero_trade_share double precision,
  open double precision,
  high double precision,
  low double precision,
  close double precision,
  vwap double precision,
  volatility_bps double precision,
  amihud double precision,
  latency_p95_ms integer,
  skew_ms integer,
  stale smallint NOT NULL,
  crossed smallint NOT NULL,
  truncated smallint NOT NULL,
  one_sided smallint NOT NULL,
  -- Failed scans by class; null without any.
  errors jsonb,
  PRIMARY KEY (instance_id, bucket)
);
CREATE INDEX scan_bucket_by_time ON scan_bucket (bucket);

-- All buckets before this one are stored; null before the first. They are stored in order and once, under this row's lock.
CREATE TABLE scan_bucketing (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  bucketed_until timestamptz
);
INSERT INTO scan_bucketing DEFAULT VALUES;
