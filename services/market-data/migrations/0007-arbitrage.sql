-- One match of the books of all venues, with everything it found. One row per minute, so a pass is published once.
CREATE TABLE arbitrage_pass (
  minute timestamptz PRIMARY KEY,
  computed_at timestamptz NOT NULL,
  result jsonb NOT NULL
);
