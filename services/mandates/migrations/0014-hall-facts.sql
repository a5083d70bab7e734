-- Whether the Hall may name the vault, which shows the owner's wallet and every amount.
ALTER TABLE mandate ADD COLUMN public_proof boolean NOT NULL DEFAULT false;
-- Agents whose vaults can be found.
CREATE INDEX mandate_public ON mandate (agent_id) WHERE public_proof AND state <> 'draft';

-- UTC days on which the account of a leg had executions that are not of the mandate, as hl-leg counted them.
CREATE TABLE foreign_day (
  mandate_id bigint NOT NULL REFERENCES mandate,
  day date NOT NULL,
  fills integer NOT NULL CHECK (fills > 0),
  PRIMARY KEY (mandate_id, day)
);
REVOKE DELETE, TRUNCATE ON foreign_day FROM mandates_app;

-- Leg money that the owner took out of the account: worth has it no longer, the result of the mandate does. Null if unknown.
ALTER TABLE worth ADD COLUMN drawn numeric(39);
