-- Each log has three index entries instead of six. The place in the chain identifies a row and orders the table by block,
-- so that what a reorganisation takes back is one range of it.
DROP INDEX log_revisions;
DROP INDEX log_by_block;
ALTER TABLE log DROP CONSTRAINT log_chain_id_block_hash_log_index_key;
ALTER TABLE log DROP COLUMN id;
ALTER TABLE log ADD PRIMARY KEY (chain_id, block_number, log_index, block_hash);
-- A fact that comes back goes on from the revision with which it was taken back; only such rows are looked up.
CREATE INDEX log_taken_back ON log (chain_id, tx_hash, log_ordinal) WHERE NOT canonical;
