-- Calls for leg money. `vault` orders them: one open transaction for a vault, whoever sends it; calls of the gateway's pool
-- stand under the gateway's address.
ALTER TABLE transaction DROP CONSTRAINT transaction_kind_check;
ALTER TABLE transaction ADD CONSTRAINT transaction_kind_check
  CHECK (kind IN ('mark', 'settle', 'fund_leg', 'give_back', 'approve', 'top_up'));
-- The called contract; null for the vault itself.
ALTER TABLE transaction ADD COLUMN target text;
-- The transfer of leg money that the call belongs to.
ALTER TABLE transaction ADD COLUMN transfer_id text;
CREATE INDEX transaction_of_transfer ON transaction (transfer_id, id) WHERE transfer_id IS NOT NULL;
