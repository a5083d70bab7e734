-- A crisis of a token: one rule, from its opening to its end.
CREATE TABLE crisis_episode (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  instance_id integer NOT NULL REFERENCES token_instance,
  rule text NOT NULL CHECK (length(rule) <= 40),
  severity smallint NOT NULL CHECK (severity BETWEEN 1 AND 3),
  peak_strength double precision NOT NULL,
  inputs jsonb NOT NULL,
  rules_version text NOT NULL,
  opened_at timestamptz NOT NULL,
  closed_at timestamptz,
  close_reason text CHECK (close_reason IN ('recovered', 'ended')),
  UNIQUE (instance_id, rule, opened_at),
  CHECK ((closed_at IS NULL) = (close_reason IS NULL))
);
-- A rule has at most one open episode per token, even if two processes judge the same minute.
CREATE UNIQUE INDEX crisis_episode_open ON crisis_episode (instance_id, rule) WHERE closed_at IS NULL;
CREATE INDEX crisis_episode_newest ON crisis_episode (opened_at DESC, id DESC);

-- State of the crisis rules for the tokens of a venue after a minute, zstd-compressed JSON. Later minutes are judged again
-- from the observations.
CREATE TABLE crisis_checkpoint (
  exchange text PRIMARY KEY REFERENCES venue,
  minute timestamptz NOT NULL,
  rules_version text NOT NULL,
  states bytea NOT NULL
);

-- The newest minute that the crisis rules judged; null before the first.
CREATE TABLE crisis_watch (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  minute timestamptz
);
INSERT INTO crisis_watch DEFAULT VALUES;

REVOKE DELETE, TRUNCATE ON crisis_episode FROM market_data_app;
