-- Facts of one block are in the order of its logs, however they arrive. A creation is a fact of its vault as well.
ALTER TABLE chain_fact ADD COLUMN log_index integer;
UPDATE chain_fact SET log_index = placed.n FROM (
  SELECT chain_id, tx_hash, log_ordinal, row_number() OVER (PARTITION BY chain_id, block_hash ORDER BY arrived, log_ordinal) AS n
  FROM chain_fact) AS placed
WHERE chain_fact.chain_id = placed.chain_id AND chain_fact.tx_hash = placed.tx_hash
  AND chain_fact.log_ordinal = placed.log_ordinal;
ALTER TABLE chain_fact ALTER COLUMN log_index SET NOT NULL, DROP COLUMN arrived;
-- What receipts said and the sweep has not confirmed.
CREATE INDEX chain_fact_of_receipt ON chain_fact (chain_id, block_number) WHERE revision = 0 AND canonical;

-- With books_block the place of the newest fact in the books.
ALTER TABLE vault ADD COLUMN books_log_index integer, DROP COLUMN revision;

-- Reverted calls of vaults as they were told, also of vaults that are not yet a mandate's. The highest revision counts.
CREATE TABLE attempt (
  chain_id bigint NOT NULL,
  tx_hash text NOT NULL,
  vault text NOT NULL,
  revision integer NOT NULL,
  told jsonb NOT NULL,
  PRIMARY KEY (chain_id, tx_hash)
);
CREATE INDEX attempt_of_vault ON attempt (chain_id, vault);
REVOKE DELETE, TRUNCATE ON attempt FROM mandates_app;

-- The highest revision of its transaction that a transfer was looked at for.
ALTER TABLE transfer ADD COLUMN revision integer NOT NULL DEFAULT 0;

-- Reports that a receipt proved and the scan of reverted calls has not confirmed.
CREATE INDEX refusal_of_receipt ON refusal (id) WHERE source = 'chain' AND revision = 0 AND canonical;
