-- When paid reads could be served. A signal that became readable late through us costs nothing.

-- The newest time at which everything that a paid read needs answered.
CREATE TABLE read_beat (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  at timestamptz NOT NULL
);

-- Times without a beat, from the last beat before to the first one after.
CREATE TABLE read_gap (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  from_at timestamptz NOT NULL,
  to_at timestamptz NOT NULL CHECK (to_at > from_at)
);
CREATE INDEX read_gap_end ON read_gap (to_at);
REVOKE UPDATE, DELETE, TRUNCATE ON read_gap FROM gallery_app;
