-- The account whose call bought: the agent itself, or its owner with the Cherry of the agent. Null for purchases from before.
ALTER TABLE purchase ADD COLUMN bought_by bigint;
