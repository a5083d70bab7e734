-- Equal tickers that a pass did not pair. Only the newest pass has them: they are read on request, and a pass before is not.
ALTER TABLE arbitrage_pass ADD COLUMN conflicts jsonb NOT NULL DEFAULT '[]';
-- Passes before do not name their evidence; the next one follows within a minute.
DELETE FROM arbitrage_pass;
