-- US dollars within 0.1 % of the mid; null in scans of the release before.
ALTER TABLE scan_minute ADD COLUMN depth_bid_01_usd real, ADD COLUMN depth_ask_01_usd real;
-- Bits 32, 64 and 128: the depths within 1, 0.5 and 0.1 % of the mid are lower bounds, as bit 1 says of 2 %.
-- suits the last release: all its flags are below 32, and the condition is wider than the one before; old rows are not checked
ALTER TABLE scan_minute DROP CONSTRAINT scan_minute_flags_check,
  ADD CONSTRAINT scan_minute_flags_check CHECK (flags BETWEEN 0 AND 255) NOT VALID;
-- Whether the depths of the two hours are lower bounds; null in rows of the release before, which follow from `truncated` and `deeper`.
ALTER TABLE scan_bucket ADD COLUMN depth_is_lower_bound boolean;
