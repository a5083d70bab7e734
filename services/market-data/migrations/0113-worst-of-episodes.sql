-- Inputs of the rule in the minute of the highest strength so far, and in the last judged minute. Null in episodes of the release
-- before, until their rule is judged again.
ALTER TABLE crisis_episode ADD COLUMN worst_inputs jsonb, ADD COLUMN last_inputs jsonb, ADD COLUMN judged_at timestamptz;
