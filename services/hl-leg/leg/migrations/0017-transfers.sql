-- How many copies of the signed bytes are on their way or were sent without an answer. Counted before a copy is sent, so that a
-- process that ends between the two leaves it counted.
ALTER TABLE transfer ADD COLUMN copies_unknown integer NOT NULL DEFAULT 0;
UPDATE transfer SET copies_unknown = 1 WHERE copy_unknown OR venue = 'signed';
ALTER TABLE transfer DROP COLUMN copy_unknown;

-- A leg has one transfer of a direction on its way to the venue at a time. Replaced blocks may open a former one again, which
-- has to be told also while a newer one is under way; what arrived at the venue or was refused there does not count.
DROP INDEX transfer_funding;
DROP INDEX transfer_return;
CREATE UNIQUE INDEX transfer_funding ON transfer (public_id)
  WHERE open AND kind = 'fund' AND venue IN ('none', 'signed');
CREATE UNIQUE INDEX transfer_return ON transfer (public_id)
  WHERE open AND kind IN ('return', 'closing', 'fallback') AND venue <> 'landed';
