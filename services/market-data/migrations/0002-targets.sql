-- What is known of an account that has targets. The row is also the lock under which its number of targets changes.
CREATE TABLE target_account (
  account_id bigint PRIMARY KEY,
  tier smallint NOT NULL CHECK (tier BETWEEN 0 AND 2),
  -- Sequence of the event that told the tier; an older event changes nothing.
  tier_seq bigint NOT NULL DEFAULT 0
);

-- A pair that an account watches. Removed ones stay, so that history belongs to somebody who had the right to it.
CREATE TABLE target (
  account_id bigint NOT NULL REFERENCES target_account,
  token_id text NOT NULL REFERENCES token,
  status text NOT NULL CHECK (status IN ('active', 'paused', 'removed')),
  hf_captures smallint NOT NULL DEFAULT 0 CHECK (hf_captures BETWEEN 0 AND 100),
  added_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, token_id)
);
CREATE INDEX target_active ON target (token_id, hf_captures) WHERE status = 'active';

-- Whose turn it is to be scanned: one row for each pair that is an active target of somebody. Taking a turn moves it into
-- the next minute, so no minute of a pair can be taken twice, by whomever.
CREATE TABLE scan_turn (
  token_id text PRIMARY KEY REFERENCES token,
  next_at timestamptz NOT NULL
);
CREATE INDEX scan_turn_due ON scan_turn (next_at);

-- One scan of a pair a minute; `error` names the class of a failure, and all figures are null then.
CREATE TABLE scan_minute (
  instance_id integer NOT NULL,
  minute timestamptz NOT NULL,
  bid double precision,
  ask double precision,
  last double precision,
  spread_bps real,
  -- Dollars within 0.5, 1 and 2 % of the mid.
  depth_bid_05_usd real,
  depth_ask_05_usd real,
  depth_bid_1_usd real,
  depth_ask_1_usd real,
  depth_bid_2_usd real,
  depth_ask_2_usd real,
  -- Cost of a market order in bps of the mid; null when the levels read do not fill it.
  cost_buy_1k_bps real,
  cost_sell_1k_bps real,
  cost_buy_10k_bps real,
  cost_sell_10k_bps real,
  -- Share of the bids in the depth within 2 %, minus one half.
  imbalance real,
  -- Of the last whole minute before this one; null when unknown.
  volume_usd real,
  trades integer,
  -- Age of the book by the venue's clock, time of the answer, and the venue's clock minus ours.
  book_age_ms integer,
  latency_ms integer,
  skew_ms integer,
  -- 1 truncated, 2 one-sided, 4 crossed, 8 stale.
  flags smallint NOT NULL CHECK (flags BETWEEN 0 AND 15),
  error text CHECK (length(error) <= 32),
  PRIMARY KEY (instance_id, minute)
) PARTITION BY RANGE (minute);

-- The same by the hour, with arrays of equal length in the order of the minutes: a third of the space.
CREATE TABLE scan_hour (
  instance_id integer NOT NULL,
  hour timestamptz NOT NULL,
  minutes smallint[] NOT NULL,
  bid double precision[] NOT NULL,
  ask double precision[] NOT NULL,
  last double precision[] NOT NULL,
  spread_bps real[] NOT NULL,
  depth_bid_05_usd real[] NOT NULL,
  depth_ask_05_usd real[] NOT NULL,
  depth_bid_1_usd real[] NOT NULL,
  depth_ask_1_usd real[] NOT NULL,
  depth_bid_2_usd real[] NOT NULL,
  depth_ask_2_usd real[] NOT NULL,
  cost_buy_1k_bps real[] NOT NULL,
  cost_sell_1k_bps real[] NOT NULL,
  cost_buy_10k_bps real[] NOT NULL,
  cost_sell_10k_bps real[] NOT NULL,
  imbalance real[] NOT NULL,
  volume_usd real[] NOT NULL,
  trades integer[] NOT NULL,
  book_age_ms integer[] NOT NULL,
  latency_ms integer[] NOT NULL,
  skew_ms integer[] NOT NULL,
  flags smallint[] NOT NULL,
  error text[] NOT NULL,
  PRIMARY KEY (instance_id, hour)
) PARTITION BY RANGE (hour);

-- All hours before this one are packed; null before the first. Hours are packed in order and once, under this row's lock.
CREATE TABLE scan_packing (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  packed_until timestamptz
);
INSERT INTO scan_packing DEFAULT VALUES;

-- Scans wherever they are stored, each once. A reader bounds `hour` as well as `minute`, for the packed part is found by it.
CREATE VIEW scan AS
  SELECT instance_id, date_trunc('hour', minute, 'UTC') AS hour, minute, bid, ask, last, spread_bps, depth_bid_05_usd,
    depth_ask_05_usd, depth_bid_1_usd, depth_ask_1_usd, depth_bid_2_usd, depth_ask_2_usd, cost_buy_1k_bps,
    cost_sell_1k_bps, cost_buy_10k_bps, cost_sell_10k_bps, imbalance, volume_usd, trades, book_age_ms, latency_ms,
    skew_ms, flags, error
  FROM scan_minute WHERE minute >= (SELECT coalesce(packed_until, '-infinity') FROM scan_packing)
  UNION ALL
  SELECT instance_id, hour, hour + one.at * interval '1 minute', one.bid, one.ask, one.last, one.spread_bps,
    one.depth_bid_05_usd, one.depth_ask_05_usd, one.depth_bid_1_usd, one.depth_ask_1_usd, one.depth_bid_2_usd,
    one.depth_ask_2_usd, one.cost_buy_1k_bps, one.cost_sell_1k_bps, one.cost_buy_10k_bps, one.cost_sell_10k_bps,
    one.imbalance, one.volume_usd, one.trades, one.book_age_ms, one.latency_ms, one.skew_ms, one.flags, one.error
  FROM scan_hour, unnest(minutes, bid, ask, last, spread_bps, depth_bid_05_usd, depth_ask_05_usd, depth_bid_1_usd,
    depth_ask_1_usd, depth_bid_2_usd, depth_ask_2_usd, cost_buy_1k_bps, cost_sell_1k_bps, cost_buy_10k_bps,
    cost_sell_10k_bps, imbalance, volume_usd, trades, book_age_ms, latency_ms, skew_ms, flags, error)
    AS one (at, bid, ask, last, spread_bps, depth_bid_05_usd, depth_ask_05_usd, depth_bid_1_usd, depth_ask_1_usd,
      depth_bid_2_usd, depth_ask_2_usd, cost_buy_1k_bps, cost_sell_1k_bps, cost_buy_10k_bps, cost_sell_10k_bps,
      imbalance, volume_usd, trades, book_age_ms, latency_ms, skew_ms, flags, error);

-- Makes the partitions that hold a day. The service's role may not create tables: this is the only way for it.
CREATE FUNCTION make_scan_partitions(day date) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = market_data, pg_temp AS $$
DECLARE
  month date := date_trunc('month', day);
BEGIN
  -- IF NOT EXISTS looks before it creates: two that look at the same time would both create.
  PERFORM pg_advisory_xact_lock(hashtext('scan_partitions'));
  IF to_regclass('scan_minute_' || to_char(day, 'YYYYMMDD')) IS NULL THEN
    EXECUTE format('CREATE TABLE IF NOT EXISTS %I PARTITION OF scan_minute FOR VALUES FROM (%L) TO (%L)',
      'scan_minute_' || to_char(day, 'YYYYMMDD'), day || ' 00:00Z', day + 1 || ' 00:00Z');
  END IF;
  IF to_regclass('scan_hour_' || to_char(month, 'YYYYMM')) IS NULL THEN
    EXECUTE format('CREATE TABLE IF NOT EXISTS %I PARTITION OF scan_hour FOR VALUES FROM (%L) TO (%L)',
      'scan_hour_' || to_char(month, 'YYYYMM'), month || ' 00:00Z', (month + interval '1 month')::date || ' 00:00Z');
  END IF;
END $$;

-- Drops the partitions that end before the given days, days only once all their hours are packed. Answers how many.
CREATE FUNCTION drop_scan_partitions(minutes_before date, hours_before date) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = market_data, pg_temp AS $$
DECLARE
  partition record;
  dropped integer := 0;
BEGIN
  FOR partition IN
    SELECT relname, to_date(substring(relname FROM '\d{8}$'), 'YYYYMMDD') + 1 AS ends
    FROM pg_inherits JOIN pg_class ON oid = inhrelid WHERE inhparent = 'scan_minute'::regclass
    UNION ALL
    SELECT relname, (to_date(substring(relname FROM '\d{6}$'), 'YYYYMM') + interval '1 month')::date
    FROM pg_inherits JOIN pg_class ON oid = inhrelid WHERE inhparent = 'scan_hour'::regclass
  LOOP
    IF partition.relname LIKE 'scan_minute_%' THEN
      CONTINUE WHEN partition.ends > minutes_before OR partition.ends > (
        SELECT coalesce((packed_until AT TIME ZONE 'UTC')::date, '-infinity') FROM scan_packing);
    ELSE
      CONTINUE WHEN partition.ends > hours_before;
    END IF;
    EXECUTE format('DROP TABLE %I', partition.relname);
    dropped := dropped + 1;
  END LOOP;
  RETURN dropped;
END $$;

-- Captures of 60 seconds of trades and books, and the bursts found in them.
CREATE TABLE hf_capture (
  instance_id integer NOT NULL REFERENCES token_instance,
  started_at timestamptz NOT NULL,
  -- Claimed before it runs; one that was cut short keeps no end.
  ended_at timestamptz,
  cause text NOT NULL CHECK (cause IN ('schedule', 'volume', 'spread')),
  fills integer,
  books integer,
  bursts jsonb NOT NULL DEFAULT '[]',
  PRIMARY KEY (instance_id, started_at)
);

-- A rule that held for a token, from its opening to its end.
CREATE TABLE crisis_episode (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  instance_id integer NOT NULL REFERENCES token_instance,
  rule text NOT NULL CHECK (length(rule) <= 40),
  severity smallint NOT NULL CHECK (severity BETWEEN 1 AND 3),
  peak_strength double precision NOT NULL,
  inputs jsonb NOT NULL,
  rules_version text NOT NULL,
  opened_at timestamptz NOT NULL,
  closed_at timestamptz,
  close_reason text CHECK (close_reason IN ('recovered', 'ended')),
  UNIQUE (instance_id, rule, opened_at),
  CHECK ((closed_at IS NULL) = (close_reason IS NULL))
);
-- A rule has one open episode a token, whoever found it.
CREATE UNIQUE INDEX crisis_episode_open ON crisis_episode (instance_id, rule) WHERE closed_at IS NULL;
CREATE INDEX crisis_episode_newest ON crisis_episode (opened_at DESC, id DESC);

-- What the crisis rules remember of a venue's tokens after a minute, zstd-compressed JSON. What came after it is computed
-- again from the observations.
CREATE TABLE crisis_checkpoint (
  exchange text PRIMARY KEY REFERENCES venue,
  minute timestamptz NOT NULL,
  rules_version text NOT NULL,
  states bytea NOT NULL
);

-- Whether the books of the minute were made up by a replay: no rule may judge them.
ALTER TABLE observation ADD COLUMN books_synthetic boolean NOT NULL DEFAULT false;

-- Approved contract addresses of token instances.
CREATE TABLE verified_contract (
  instance_id integer PRIMARY KEY REFERENCES token_instance,
  chain text CHECK (length(chain) <= 64),
  address text CHECK (length(address) <= 512),
  chain_at timestamptz,
  address_at timestamptz
);

-- One comparison of all venues' books: what it found, told once.
CREATE TABLE arbitrage_pass (
  minute timestamptz PRIMARY KEY,
  computed_at timestamptz NOT NULL,
  result jsonb NOT NULL
);

-- Minutes of the priority pool that were told.
CREATE TABLE pool_minute (
  minute timestamptz PRIMARY KEY
);

REVOKE DELETE, TRUNCATE ON target, target_account, crisis_episode FROM market_data_app;
