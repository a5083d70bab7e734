-- The tier of an account that has targets. This row is also the lock under which the number of its targets changes.
CREATE TABLE target_account (
  account_id bigint PRIMARY KEY,
  tier smallint NOT NULL CHECK (tier BETWEEN 0 AND 2),
  -- Sequence number of the event that set the tier; an older event changes nothing.
  tier_seq bigint NOT NULL DEFAULT 0
);

-- A pair that an account watches. Removed targets stay: they prove who was entitled to the history.
CREATE TABLE target (
  account_id bigint NOT NULL REFERENCES target_account,
  token_id text NOT NULL REFERENCES token,
  status text NOT NULL CHECK (status IN ('active', 'paused', 'removed')),
  hf_captures smallint NOT NULL DEFAULT 0 CHECK (hf_captures BETWEEN 0 AND 100),
  added_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, token_id)
);
CREATE INDEX target_active ON target (token_id, hf_captures) WHERE status = 'active';

-- When a pair is scanned next: one row for each pair that is an active target of any account. Taking a turn moves it into
-- the next minute, so two processes cannot take the same minute of a pair.
CREATE TABLE scan_turn (
  token_id text PRIMARY KEY REFERENCES token,
  next_at timestamptz NOT NULL
);
CREATE INDEX scan_turn_due ON scan_turn (next_at);

-- One scan of a pair per minute. `error` names the class of a failure; all figures are null then.
CREATE TABLE scan_minute (
  instance_id integer NOT NULL,
  minute timestamptz NOT NULL,
  bid double precision,
  ask double precision,
  last double precision,
  spread_bps real,
  -- US dollars within 0.5, 1 and 2 % of the mid.
  depth_bid_05_usd real,
  depth_ask_05_usd real,
  depth_bid_1_usd real,
  depth_ask_1_usd real,
  depth_bid_2_usd real,
  depth_ask_2_usd real,
  -- Cost of a market order of $1,000 or $10,000 in bps of the mid; null if the levels read do not fill it.
  cost_buy_1k_bps real,
  cost_sell_1k_bps real,
  cost_buy_10k_bps real,
  cost_sell_10k_bps real,
  -- Share of the bids in the depth within 2 %, minus one half.
  imbalance real,
  -- Volume and trades of the last whole minute before this one; null if unknown.
  volume_usd real,
  trades integer,
  -- Age of the book by the venue's clock, duration of the call, and the venue's clock minus ours.
  book_age_ms integer,
  latency_ms integer,
  skew_ms integer,
  -- 1 truncated, 2 one-sided, 4 crossed, 8 stale.
  flags smallint NOT NULL CHECK (flags BETWEEN 0 AND 15),
  error text CHECK (length(error) <= 32),
  PRIMARY KEY (instance_id, minute)
) PARTITION BY RANGE (minute);

-- Minutes of the priority pool that were published in the feed.
CREATE TABLE pool_minute (
  minute timestamptz PRIMARY KEY
);

-- Captures of 60 seconds of trades and books, with the bursts found in them.
CREATE TABLE hf_capture (
  instance_id integer NOT NULL REFERENCES token_instance,
  started_at timestamptz NOT NULL,
  -- The row is inserted before the capture runs; null forever if the capture was interrupted.
  ended_at timestamptz,
  cause text NOT NULL CHECK (cause IN ('schedule', 'volume', 'spread')),
  fills integer,
  books integer,
  bursts jsonb NOT NULL DEFAULT '[]',
  PRIMARY KEY (instance_id, started_at)
);

REVOKE DELETE, TRUNCATE ON target, target_account FROM market_data_app;
