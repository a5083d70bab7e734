-- Fee that the vault could not take, because a part of the leg's profit stayed with the owner when the leg ended. Part of the
-- debt of that end. USDC base units.
ALTER TABLE transfer ADD COLUMN fee_owed numeric(39) CHECK (fee_owed >= 0);
