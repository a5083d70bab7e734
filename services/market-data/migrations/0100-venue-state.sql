-- What the process that reads a venue knows of it beside the observations: the next process continues from it, and the
-- jobs over all venues read it. One row per venue, replaced with each observation and each list.
CREATE TABLE venue_state (
  exchange text PRIMARY KEY REFERENCES venue,
  -- The newest observed minute and the venue's clock in it; null before the first observation.
  minute timestamptz,
  venue_time timestamptz,
  -- Hash of the accepted quotes.
  print text CHECK (length(print) <= 64),
  -- Dollars per unit of each quote currency.
  rates jsonb NOT NULL DEFAULT '{}',
  -- Quotes of the minute; fees and steps of the last list, and wallet states: compressed lines.
  quotes bytea,
  listed_at timestamptz,
  terms bytea
);
REVOKE DELETE, TRUNCATE ON venue_state FROM market_data_app;
