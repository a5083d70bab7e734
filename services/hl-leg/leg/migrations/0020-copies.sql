-- Look-ups of an open order in which the venue contradicted itself. They never end the order; each ten of them raise an alarm.
ALTER TABLE leg_order ADD COLUMN contradictions integer NOT NULL DEFAULT 0;
-- Copies of the bytes of a move that have left or are about to. The last release counts none, but its rows may have sent one: to
-- them a copy of this release is the second.
ALTER TABLE collateral_move ADD COLUMN sends integer NOT NULL DEFAULT 1;
