-- Look-ups of an open order in which the venue contradicted itself. They never end the order; each ten of them raise an alarm.
ALTER TABLE trade_order ADD COLUMN contradictions integer NOT NULL DEFAULT 0;
