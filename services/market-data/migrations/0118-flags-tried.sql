-- When the flags of a venue were last asked for: time in which nobody asked does not age them.
ALTER TABLE venue ADD COLUMN flags_tried_at timestamptz;
