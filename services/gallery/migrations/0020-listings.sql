-- A vault stands in one listing that is not withdrawn: the row goes with the withdrawal.
CREATE TABLE vault_listing (
  vault_id text PRIMARY KEY REFERENCES operator (vault_id),
  listing_id text NOT NULL UNIQUE REFERENCES listing
);
INSERT INTO vault_listing (vault_id, listing_id)
SELECT vault_id, id FROM listing WHERE vault_id IS NOT NULL;

-- An agent becomes an operator by a listing once; whoever an admin removed stays removed.
CREATE UNIQUE INDEX operator_by_listing ON operator (agent_id) WHERE source = 'listing';

REVOKE UPDATE, TRUNCATE ON vault_listing FROM gallery_app;
