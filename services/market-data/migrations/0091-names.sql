-- The Korean name of the base asset, as the venue states it. `name` is what it states in Latin letters.
ALTER TABLE token ADD COLUMN name_ko text CHECK (length(name_ko) <= 200);
