-- How the jobs of the services ran, as their heartbeats tell. One row a job.
CREATE TABLE worker (
  service text NOT NULL,
  job text NOT NULL,
  live boolean NOT NULL,
  every_sec double precision NOT NULL,
  due_at timestamptz NOT NULL,
  last_run_at timestamptz NOT NULL,
  last_ok_at timestamptz,
  -- Last successful run that was no dry run; null before the first.
  last_live_at timestamptz,
  figures jsonb NOT NULL,
  first_seen_at timestamptz NOT NULL,
  -- Time of the heartbeat; an older one changes nothing.
  told_at timestamptz NOT NULL,
  PRIMARY KEY (service, job)
);

-- Times between two live runs that were too far apart. Deleted after 40 days.
CREATE TABLE worker_gap (
  service text NOT NULL,
  job text NOT NULL,
  began_at timestamptz NOT NULL,
  ended_at timestamptz NOT NULL,
  PRIMARY KEY (service, job, began_at),
  CHECK (began_at < ended_at)
);
CREATE INDEX worker_gap_ended ON worker_gap (ended_at);
