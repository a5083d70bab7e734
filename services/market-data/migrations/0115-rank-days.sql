-- The rank of each pair on each day: the delisting-risk score without its floors, from the first board of the day's last hour that has
-- one. Columns of at most 64 instances (`part` is instance_id / 64), so that a day of 20,000 pairs has about 300 rows.
CREATE TABLE rank_day (
  part integer NOT NULL,
  day date NOT NULL,
  instance_ids integer[] NOT NULL,
  rank smallint[] NOT NULL,
  PRIMARY KEY (part, day),
  CHECK (cardinality(rank) = cardinality(instance_ids))
);
CREATE INDEX rank_day_by_day ON rank_day (day);
