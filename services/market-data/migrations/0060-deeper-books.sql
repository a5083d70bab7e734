-- Good scans of the two hours whose depths are those of a complete deeper book. From six of them the depths of the row are theirs.
ALTER TABLE scan_bucket ADD COLUMN deeper smallint NOT NULL DEFAULT 0 CHECK (deeper BETWEEN 0 AND 120);
-- Bit 16 of a scan: its depths are those of a deeper book.
ALTER TABLE scan_minute DROP CONSTRAINT scan_minute_flags_check, ADD CONSTRAINT scan_minute_flags_check CHECK (flags BETWEEN 0 AND 31);
