-- How many callers have sent the bytes of an order, or are about to. A refusal that came before the venue admitted the bytes ends
-- the order only while it is one: another copy might still execute.
ALTER TABLE leg_order ADD COLUMN sends integer NOT NULL DEFAULT 1;
