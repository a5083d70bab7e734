-- What was decided outside the chain is ordered against it by blocks: the newest block that was known when it was decided.
-- Null when the chain could not be read then, or before this was kept.
ALTER TABLE approval ADD COLUMN decided_block bigint, ADD COLUMN decided_block_hash text,
  ADD COLUMN decided_block_time timestamptz,
  -- That block is not in the chain any more.
  ADD COLUMN decided_block_replaced boolean NOT NULL DEFAULT false;
ALTER TABLE mandate ADD COLUMN stopped_block bigint, ADD COLUMN stopped_block_hash text,
  ADD COLUMN stopped_block_time timestamptz;
-- Block in which an execution was seen first: a reorganisation that moves it does not change what came before it. And
-- the approvals whose calldata its transaction carries.
ALTER TABLE execution ADD COLUMN first_block bigint, ADD COLUMN carries text[] NOT NULL DEFAULT '{}';
UPDATE execution SET first_block = block_number,
  carries = CASE WHEN approval_id IS NULL THEN '{}' ELSE ARRAY[approval_id] END;
ALTER TABLE execution ALTER COLUMN first_block SET NOT NULL;
