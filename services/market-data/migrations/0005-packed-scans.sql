-- Scans of two hours of a pair in one compressed block: a tenth of the space of arrays. The arrays by the hour are not
-- converted but dropped with what they held: no installation has kept any yet.
DROP FUNCTION make_scan_partitions(date);
DROP FUNCTION drop_scan_partitions(date, date);
DROP VIEW scan;
DROP TABLE scan_hour;
DROP TABLE scan_packing;

-- Written with the bucket's sums, in the same transaction: `scan_bucketing` tells how far both have come.
CREATE TABLE scan_packed (
  instance_id integer NOT NULL,
  bucket timestamptz NOT NULL,
  scans smallint NOT NULL CHECK (scans BETWEEN 1 AND 120),
  -- What scan-block.ts reads: a version, a checksum, and zstd.
  block bytea NOT NULL,
  PRIMARY KEY (instance_id, bucket)
) PARTITION BY RANGE (bucket);
-- It is compressed already.
ALTER TABLE scan_packed ALTER COLUMN block SET STORAGE EXTERNAL;

-- Makes the partitions that hold a day. The service's role may not create tables: this is the only way for it.
CREATE FUNCTION make_scan_partitions(day date) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = market_data, pg_temp AS $$
DECLARE
  parent text;
BEGIN
  FOREACH parent IN ARRAY ARRAY['scan_minute', 'scan_packed'] LOOP
    IF to_regclass(parent || '_' || to_char(day, 'YYYYMMDD')) IS NULL THEN
      -- One at a time, for two that look at once would both create; and not while scans are packed, which needs both tables
      -- as this does: each could wait for the other.
      PERFORM FROM scan_bucketing FOR UPDATE;
      EXECUTE format('CREATE TABLE IF NOT EXISTS %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)',
        parent || '_' || to_char(day, 'YYYYMMDD'), parent, day || ' 00:00Z', day + 1 || ' 00:00Z');
    END IF;
  END LOOP;
END $$;

-- Drops the partitions that end before the given days, those of minutes only once all of them are packed. Answers how many.
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
    -- For the same reasons.
    PERFORM FROM scan_bucketing FOR UPDATE;
    EXECUTE format('DROP TABLE IF EXISTS %I', partition.relname);
    dropped := dropped + 1;
  END LOOP;
  RETURN dropped;
END $$;

-- Days that have minutes already get their packed scans too.
SELECT make_scan_partitions(to_date(substring(relname FROM '\d{8}$'), 'YYYYMMDD'))
FROM pg_inherits JOIN pg_class ON oid = inhrelid WHERE inhparent = 'scan_minute'::regclass;
