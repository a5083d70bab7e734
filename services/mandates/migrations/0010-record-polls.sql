-- What a poll asks before it looks at the entries: the latest time of any of them, and the newest that the chain proves.
ALTER TABLE mandate ADD COLUMN record_at timestamptz, ADD COLUMN record_proved_seq bigint;
UPDATE mandate SET
  record_at = (SELECT max(at) FROM record_entry WHERE mandate_id = mandate.id),
  record_proved_seq = (SELECT max(seq) FROM record_entry WHERE mandate_id = mandate.id AND kind = 'chain_fact')
WHERE record_seq > 0;

-- Groups of the record in one index. No id of a held call looks like the hash of a transaction.
CREATE INDEX record_entry_by_group ON record_entry (mandate_id, coalesce(tx_hash, entry->'body'->>'approval_id'))
  WHERE coalesce(tx_hash, entry->'body'->>'approval_id') IS NOT NULL;
DROP INDEX record_entry_by_tx, record_entry_by_approval;
