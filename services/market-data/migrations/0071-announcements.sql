-- Announcements of a venue that it publishes without a key, append-only. The texts are the venue's; `meaning`, `bases` and
-- `symbols` are what its title says, in the codes of the market list, if it was read with certainty.
CREATE TABLE venue_announcement (
  exchange text NOT NULL REFERENCES venue,
  announcement_id text NOT NULL CHECK (length(announcement_id) BETWEEN 1 AND 200),
  title text NOT NULL CHECK (length(title) BETWEEN 1 AND 300),
  url text CHECK (length(url) <= 500),
  source text NOT NULL CHECK (length(source) <= 200),
  published_at timestamptz,
  first_seen_at timestamptz NOT NULL,
  meaning text CHECK (meaning IN ('warning', 'delisting_announced')),
  bases text[] NOT NULL DEFAULT '{}' CHECK (cardinality(bases) <= 50),
  symbols text[] NOT NULL DEFAULT '{}' CHECK (cardinality(symbols) <= 50),
  effective_at timestamptz,
  PRIMARY KEY (exchange, announcement_id)
);
CREATE INDEX venue_announcement_of_assets ON venue_announcement (exchange, first_seen_at) WHERE meaning IS NOT NULL;
REVOKE UPDATE, DELETE, TRUNCATE ON venue_announcement FROM market_data_app;

-- Where a flag was read, and when the venue published it; null before this migration, and if the venue states no time.
ALTER TABLE venue_flag_event ADD COLUMN source text CHECK (length(source) <= 200), ADD COLUMN published_at timestamptz;
