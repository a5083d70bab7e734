-- Sums of the scans of a pair over two hours, so that reading three weeks of a target does not unpack thirty thousand
-- scans. Figures come from good scans only; null without a good scan.
CREATE TABLE scan_bucket (
  instance_id integer NOT NULL,
  bucket timestamptz NOT NULL,
  -- Minutes of the bucket, counted from 0, that have a scan, and minutes that have a good one.
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
  -- Failed scans by class; null without a failure.
  errors jsonb,
  -- Minutes of the two hours whose volume is known: a sum of fewer than nine tenths of them is not published.
  volume_minutes smallint NOT NULL DEFAULT 0 CHECK (volume_minutes BETWEEN 0 AND 120),
  PRIMARY KEY (instance_id, bucket)
);
CREATE INDEX scan_bucket_by_time ON scan_bucket (bucket);

-- All buckets before `bucketed_until` are stored; null before the first. Each bucket is stored once and in order, under the
-- lock of this row.
CREATE TABLE scan_bucketing (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  bucketed_until timestamptz
);
INSERT INTO scan_bucketing DEFAULT VALUES;

-- Scans of a pair over two hours in one compressed block. Written in the same transaction as the sums, so `scan_bucketing`
-- covers both.
CREATE TABLE scan_packed (
  instance_id integer NOT NULL,
  bucket timestamptz NOT NULL,
  scans smallint NOT NULL CHECK (scans BETWEEN 1 AND 120),
  -- Format of scan-block.ts: version, checksum, zstd.
  block bytea NOT NULL,
  PRIMARY KEY (instance_id, bucket)
) PARTITION BY RANGE (bucket);
-- The block is already compressed.
ALTER TABLE scan_packed ALTER COLUMN block SET STORAGE EXTERNAL;

-- Creates the partitions of a day. SECURITY DEFINER, because the role of the service may not create tables.
CREATE FUNCTION make_scan_partitions(day date) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = market_data, pg_temp AS $$
DECLARE
  parent text;
BEGIN
  FOREACH parent IN ARRAY ARRAY['scan_minute', 'scan_packed'] LOOP
    IF to_regclass(parent || '_' || to_char(day, 'YYYYMMDD')) IS NULL THEN
      -- The lock prevents two calls from creating the same partition, and a deadlock with packing, which locks both tables too.
      PERFORM FROM scan_bucketing FOR UPDATE;
      EXECUTE format('CREATE TABLE IF NOT EXISTS %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)',
        parent || '_' || to_char(day, 'YYYYMMDD'), parent, day || ' 00:00Z', day + 1 || ' 00:00Z');
    END IF;
  END LOOP;
END $$;

-- Drops the partitions that end before the given days, those of minutes only when all their scans are packed. Returns the
-- number of dropped partitions.
CREATE FUNCTION drop_scan_partitions(minutes_before date, packed_before date) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = market_data, pg_temp AS $$
DECLARE
  bucketed date := (SELECT coalesce((bucketed_until AT TIME ZONE 'UTC')::date, '-infinity') FROM scan_bucketing);
  partition record;
  dropped integer := 0;
BEGIN
  FOR partition IN
    SELECT relname, to_date(substring(relname FROM '\d{8}$'), 'YYYYMMDD') + 1 AS ends, inhparent = 'scan_minute'::regclass AS is_minutes
    FROM pg_inherits JOIN pg_class ON oid = inhrelid WHERE inhparent IN ('scan_minute'::regclass, 'scan_packed'::regclass)
  LOOP
    IF partition.is_minutes THEN
      CONTINUE WHEN partition.ends > minutes_before OR partition.ends > bucketed;
    ELSE
      CONTINUE WHEN partition.ends > packed_before;
    END IF;
    -- The same lock as in make_scan_partitions, for the same reasons.
    PERFORM FROM scan_bucketing FOR UPDATE;
    EXECUTE format('DROP TABLE IF EXISTS %I', partition.relname);
    dropped := dropped + 1;
  END LOOP;
  RETURN dropped;
END $$;
