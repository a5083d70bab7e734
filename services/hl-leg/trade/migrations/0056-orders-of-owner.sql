-- Orders of an owner, newest first, whatever became of them.
CREATE INDEX trade_order_owner ON trade_order (owner_id, id DESC);
