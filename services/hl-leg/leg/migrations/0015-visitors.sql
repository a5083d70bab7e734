-- Relayed reads that strangers choose freely spend a part of their own of what relays have.
ALTER TABLE venue_weight DROP CONSTRAINT venue_weight_class_check;
ALTER TABLE venue_weight ADD CONSTRAINT venue_weight_class_check
  CHECK (class IN ('closes', 'orders', 'worth', 'relays', 'visitors'));
