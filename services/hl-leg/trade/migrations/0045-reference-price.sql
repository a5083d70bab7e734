-- What an order was sized by, and what the caps count it by: the amount that was asked for, null for an order by size; and the
-- highest of worst price, mark, middle of the book and, for a sell, best bid. `reference_price` is the price that the band of the
-- order lies around.
ALTER TABLE trade_order ADD COLUMN amount_usdc numeric;
ALTER TABLE trade_order ADD COLUMN notional_price numeric;
