-- An effect outside has a number of its own, by which operators name it (packages/outbound).
-- suits the last release: it names the columns that it writes, and the table is small, so that its writers wait for a moment.
ALTER TABLE follow_order ADD COLUMN id bigint GENERATED ALWAYS AS IDENTITY UNIQUE;
