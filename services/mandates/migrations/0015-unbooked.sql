-- Part of vault_worth that was sent to the address of the vault and is not in its books; null in rows from before.
ALTER TABLE worth ADD COLUMN unbooked numeric(39);
