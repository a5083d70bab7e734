-- Every entry moves the head of its mandate: room on the page keeps that update out of the indexes.
ALTER TABLE mandate SET (fillfactor = 70);
-- Reports of agents are most of the record, and are never looked for by their kind.
DROP INDEX record_entry_by_kind;
CREATE INDEX record_entry_by_kind ON record_entry (mandate_id, kind, at DESC) WHERE kind <> 'event';
-- A call is looked up among all items that its mandate ever had.
CREATE INDEX approval_of_call ON approval (mandate_id, call_hash, seq DESC);
