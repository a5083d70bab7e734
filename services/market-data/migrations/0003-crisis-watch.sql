-- The newest minute that the crisis rules judged.
CREATE TABLE crisis_watch (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  minute timestamptz
);
INSERT INTO crisis_watch DEFAULT VALUES;
