-- What an order was sized and judged by: the amount that was asked for, null for an order by size; the highest of worst price,
-- mark, middle of the book and, for a sell, best bid; and the two sides of the book that were read with the mark.
ALTER TABLE leg_order ADD COLUMN amount_usdc numeric;
ALTER TABLE leg_order ADD COLUMN reference_price numeric;
ALTER TABLE leg_order ADD COLUMN best_bid numeric;
ALTER TABLE leg_order ADD COLUMN best_ask numeric;
