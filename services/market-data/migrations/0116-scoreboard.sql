-- What became of the pairs that a month began with: one row for each number of days, stored when they are over.
CREATE TABLE score_month (
  month date NOT NULL CHECK (extract(day FROM month) = 1),
  days smallint NOT NULL,
  snapshot date NOT NULL,
  pairs integer NOT NULL,
  delisted integer NOT NULL CHECK (delisted BETWEEN 0 AND pairs),
  auc double precision CHECK (auc BETWEEN 0 AND 1),
  top_pairs integer NOT NULL,
  top_delisted integer NOT NULL CHECK (top_delisted BETWEEN 0 AND top_pairs),
  computed_at timestamptz NOT NULL,
  PRIMARY KEY (month, days)
);

-- What each crisis rule did in a month, stored a week after its end.
CREATE TABLE crisis_month (
  month date NOT NULL CHECK (extract(day FROM month) = 1),
  rule text NOT NULL CHECK (length(rule) <= 40),
  days smallint NOT NULL,
  pairs integer NOT NULL,
  episodes integer NOT NULL,
  alerted integer NOT NULL,
  recovered integer NOT NULL,
  ended integer NOT NULL,
  unknown integer NOT NULL,
  computed_at timestamptz NOT NULL,
  PRIMARY KEY (month, rule)
);
