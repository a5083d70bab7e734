-- Which chain a chain id stood for when something was last signed for it, told by the hash of its block 1. A local chain
-- can begin anew under the same id.
CREATE TABLE known_chain (
  chain_id bigint PRIMARY KEY,
  first_block text NOT NULL
);
-- lost: signed for, or decided on, a chain that is not there any more. Nonces of such a chain are null.
ALTER TABLE sending DROP CONSTRAINT sending_outcome_check, ADD CONSTRAINT sending_outcome_check
  CHECK (outcome IN ('done', 'reverted', 'cancelled', 'nonce_taken', 'refused', 'expired', 'lost'));
