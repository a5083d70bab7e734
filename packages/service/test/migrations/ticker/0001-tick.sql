CREATE TABLE tick (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  holder text NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp()
);
