-- A fact that comes back after it was taken back gets a row of its own, also in the same block: storing one never has to
-- look for a row to change.
ALTER TABLE log DROP CONSTRAINT log_pkey;
ALTER TABLE log ADD PRIMARY KEY (chain_id, block_number, log_index, block_hash, revision);
-- Read back whole, never searched; as jsonb they cost more time to store than all other columns.
ALTER TABLE log ALTER COLUMN args TYPE json, ALTER COLUMN books TYPE json;
