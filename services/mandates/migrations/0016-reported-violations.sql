-- Violations that agents reported before the chain showed their transactions. Of those that it shows the chain decides.
CREATE TABLE reported_violation (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  mandate_id bigint NOT NULL REFERENCES mandate,
  reason text NOT NULL,
  tx_hash text,
  at timestamptz NOT NULL
);
CREATE INDEX reported_violation_by_time ON reported_violation (mandate_id, at);
CREATE INDEX reported_violation_of_tx ON reported_violation (mandate_id, tx_hash) WHERE tx_hash IS NOT NULL;
CREATE INDEX execution_of_tx ON execution (mandate_id, tx_hash);
-- An alert was stored for each reason and hour.
INSERT INTO reported_violation (mandate_id, reason, at)
SELECT mandate_id, split_part(about, ' ', 1), created_at FROM alert WHERE kind = 'reported_violation';
REVOKE UPDATE, DELETE, TRUNCATE ON reported_violation FROM mandates_app;
