-- Plain transfers of ether, such as a gas drip: `vault` is then the recipient, and no mandate is concerned.
ALTER TABLE transaction DROP CONSTRAINT transaction_kind_check;
ALTER TABLE transaction ADD CONSTRAINT transaction_kind_check
  CHECK (kind IN ('mark', 'settle', 'fund_leg', 'give_back', 'approve', 'top_up', 'gas_drip'));
ALTER TABLE transaction ALTER COLUMN public_id DROP NOT NULL;
ALTER TABLE transaction ADD COLUMN value_wei numeric(39) NOT NULL DEFAULT 0 CHECK (value_wei >= 0);
-- What the chain charged for the mined attempt; null until one was mined.
ALTER TABLE transaction ADD COLUMN fee_wei numeric(39) CHECK (fee_wei >= 0);
CREATE INDEX transaction_by_nonce ON transaction (chain_id, sender, nonce) WHERE nonce IS NOT NULL;
