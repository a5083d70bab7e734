-- A refresh token is answered again for a short time, in case its answer was lost. Each answer to it is a successor, and
-- the one that arrived is not known until it is used.
ALTER TABLE sessions
  ADD turn_hashes text[],
  ADD used_hash text CHECK (used_hash ~ '^[0-9a-f]{64}$'),
  ADD used_at timestamptz,
  ADD CHECK ((used_hash IS NULL) = (used_at IS NULL));
UPDATE sessions SET turn_hashes = ARRAY[turn_hash];
ALTER TABLE sessions
  ALTER turn_hashes SET NOT NULL,
  ADD CHECK (cardinality(turn_hashes) BETWEEN 1 AND 8),
  ADD CHECK (array_to_string(turn_hashes, '') ~ '^([0-9a-f]{64})+$'),
  DROP turn_hash;
