-- What orders of legs filled for statements and Record strips, also those that closed. `used` counts opens alone, as judged.
ALTER TABLE leg_reservation
  ADD COLUMN notional numeric(39) NOT NULL DEFAULT 0,
  ADD COLUMN ordered_by text CHECK (ordered_by IN ('owner', 'agent', 'stop_line')),
  DROP CONSTRAINT leg_reservation_outcome_check,
  -- withdrawn: refused when it was asked about again before it was sent; the same key may be let through later.
  ADD CONSTRAINT leg_reservation_outcome CHECK (outcome IN ('filled', 'missed', 'withdrawn'));
CREATE INDEX leg_reservation_filled ON leg_reservation (mandate_id, resolved_at) WHERE outcome = 'filled';
