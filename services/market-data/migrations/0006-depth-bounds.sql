-- Whether the levels that a venue gave ended within the band: the depth is a lower bound then. Absent in older minutes.
ALTER TABLE observation ADD COLUMN depth_truncated boolean[];
