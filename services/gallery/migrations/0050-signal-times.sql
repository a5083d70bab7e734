-- How many signals a vault published in 30 days, without reading them.
CREATE INDEX signal_recorded ON signal (vault_id, recorded_at, seq);
