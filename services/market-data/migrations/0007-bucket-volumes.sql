-- Minutes of the two hours whose volume is known: a sum of fewer than nine tenths of them is not told.
ALTER TABLE scan_bucket ADD COLUMN volume_minutes smallint NOT NULL DEFAULT 0 CHECK (volume_minutes BETWEEN 0 AND 120);
