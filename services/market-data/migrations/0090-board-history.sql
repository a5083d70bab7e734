-- What the board showed of each token: columns of at most 64 instances (`part` is instance_id / 64) for a step of time. A
-- row a token would cost more to store and to read than its figures. Steps: 5 minutes, an hour, a day; a longer step has
-- the last board of the step.
CREATE TABLE board_point (
  -- Minutes.
  step smallint NOT NULL CHECK (step IN (5, 60, 1440)),
  part integer NOT NULL,
  -- Start of the step, and when the board was computed.
  at timestamptz NOT NULL,
  computed_at timestamptz NOT NULL,
  instance_ids integer[] NOT NULL,
  -- Hundredths.
  gpa smallint[] NOT NULL,
  risk_score smallint[] NOT NULL,
  spread_bps real[] NOT NULL,
  depth_2pct_usd real[] NOT NULL,
  volume_24h_usd real[] NOT NULL,
  price double precision[] NOT NULL,
  change_24h_pct real[] NOT NULL,
  -- Codes of board-point.ts: letters; lifecycle, outlook, bound and flags; severity of each open crisis.
  grades integer[] NOT NULL,
  state integer[] NOT NULL,
  alerts integer[] NOT NULL,
  PRIMARY KEY (step, part, at)
) PARTITION BY LIST (step);
CREATE TABLE board_point_5 PARTITION OF board_point FOR VALUES IN (5) PARTITION BY RANGE (at);
CREATE TABLE board_point_60 PARTITION OF board_point FOR VALUES IN (60) PARTITION BY RANGE (at);
CREATE TABLE board_point_1440 PARTITION OF board_point FOR VALUES IN (1440) PARTITION BY RANGE (at);
CREATE INDEX board_point_newest ON board_point (step, at);

-- Creates the partitions of a time: a day of 5-minute steps, a month of hours, a year of days. SECURITY DEFINER, because the
-- role of the service may not create tables.
CREATE FUNCTION make_board_partitions(at timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = market_data, pg_temp SET timezone = 'UTC' AS $$
DECLARE
  span record;
  name text;
  starts timestamptz;
BEGIN
  FOR span IN SELECT * FROM (VALUES ('board_point_5', 'day'), ('board_point_60', 'month'), ('board_point_1440', 'year')) AS spans (parent, unit) LOOP
    starts := date_trunc(span.unit, at);
    name := span.parent || '_' || to_char(starts, 'YYYYMMDD');
    IF to_regclass(name) IS NULL THEN
      -- The lock prevents two calls from creating the same partition.
      PERFORM pg_advisory_xact_lock(hashtextextended('market_data.board_point', 0));
      EXECUTE format('CREATE TABLE IF NOT EXISTS %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)',
        name, span.parent, starts, starts + ('1 ' || span.unit)::interval);
    END IF;
  END LOOP;
END $$;

-- Drops the partitions that end before the given times. Returns their number.
CREATE FUNCTION drop_board_partitions(five_before timestamptz, hours_before timestamptz, days_before timestamptz) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = market_data, pg_temp SET timezone = 'UTC' AS $$
DECLARE
  partition record;
  dropped integer := 0;
BEGIN
  FOR partition IN
    SELECT child.relname, to_date(substring(child.relname FROM '\d{8}$'), 'YYYYMMDD')::timestamptz + ('1 ' || unit)::interval AS ends, before
    FROM (VALUES ('board_point_5', 'day', five_before), ('board_point_60', 'month', hours_before),
        ('board_point_1440', 'year', days_before)) AS spans (parent, unit, before)
      JOIN pg_inherits ON inhparent = parent::regclass JOIN pg_class AS child ON child.oid = inhrelid
  LOOP
    CONTINUE WHEN partition.ends > partition.before;
    EXECUTE format('DROP TABLE IF EXISTS %I', partition.relname);
    dropped := dropped + 1;
  END LOOP;
  RETURN dropped;
END $$;
