-- Edition of the wording of the clauses that were signed. 1: an order at the leg counts at its worst price; 2: at its reference
-- price. A release that does not know the column writes edition 1.
ALTER TABLE signed_terms ADD COLUMN edition smallint NOT NULL DEFAULT 1;
