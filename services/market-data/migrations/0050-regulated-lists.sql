-- Market lists of regulated exchanges as they were read, at most two a day each: input of the delisting score, and dated
-- evidence for its next calibration.
CREATE TABLE regulated_list (
  venue text NOT NULL CHECK (length(venue) <= 32),
  read_at timestamptz NOT NULL,
  source text NOT NULL CHECK (source IN ('live', 'replay')),
  -- Base assets with a market that trades, in ccxt's unified codes, sorted.
  assets text[] NOT NULL CHECK (cardinality(assets) BETWEEN 1 AND 20000),
  PRIMARY KEY (venue, read_at)
);
REVOKE UPDATE, DELETE, TRUNCATE ON regulated_list FROM market_data_app;
