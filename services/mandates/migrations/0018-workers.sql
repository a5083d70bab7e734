-- What ran of the workers on whom clauses depend: a clause is in force while its workers say that they act.
CREATE TABLE worker (
  name text PRIMARY KEY,
  -- False in a dry run.
  live boolean NOT NULL,
  every_sec integer NOT NULL CHECK (every_sec > 0),
  seen_at timestamptz NOT NULL
);
