-- A refusal is certain only if no other request of the order can still be on its way: sends are counted, and each notes until
-- when hl-leg may still work on it. An answer takes the note back; a process that is killed leaves it.
ALTER TABLE follow_order
  ADD COLUMN sends integer NOT NULL DEFAULT 0,
  ADD COLUMN in_flight_until timestamptz;
