-- Whether the owner may spend the Cherry of its agent: as the agent said when it paired, until it takes that back.
ALTER TABLE pairings ADD COLUMN owner_may_spend boolean NOT NULL DEFAULT false;
GRANT UPDATE (owner_may_spend) ON pairings TO identity_app;
