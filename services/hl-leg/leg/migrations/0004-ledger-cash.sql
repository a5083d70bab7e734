-- Cash of the account when its ledger was last read: a reading with other cash requires the ledger again.
ALTER TABLE ledger_cursor ADD COLUMN cash numeric;
