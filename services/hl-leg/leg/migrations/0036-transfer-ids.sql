-- An effect outside has a number of its own, by which operators name it (packages/outbound). It is not called "id", because the last
-- release joins this table with one that has such a column, and names it alone.
-- suits the last release: it names the columns that it writes, and the table is small, so that its writers wait for a moment.
ALTER TABLE transfer ADD COLUMN effect_id bigint GENERATED ALWAYS AS IDENTITY UNIQUE;
