-- Closes of the one-minute candles of a pair in its quote currency, read after a gap that nobody observed: the crisis rules use
-- them in place of the prices that are missing. `closes` has one entry a minute, null before the first trade.
CREATE TABLE candle_close (
  instance_id integer PRIMARY KEY REFERENCES token_instance,
  first_minute timestamptz NOT NULL,
  -- The first minute that the venue's answer knows.
  traded_since timestamptz NOT NULL,
  closes jsonb NOT NULL,
  read_at timestamptz NOT NULL,
  CHECK (traded_since <= first_minute)
);
CREATE INDEX candle_close_by_read_at ON candle_close (read_at);

-- Rules that could not judge a pair in the newest judged minute, each with the reason and the first such minute. A pair whose rules
-- were all judged has no row.
CREATE TABLE crisis_not_judged (
  instance_id integer PRIMARY KEY REFERENCES token_instance,
  rules jsonb NOT NULL CHECK (jsonb_array_length(rules) > 0)
);
