-- The venue's markets as hl-leg listed them last: no draft waits for hl-leg, and a restart forgets no market.
CREATE TABLE leg_market_list (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  items jsonb NOT NULL,
  -- Whether hl-leg has the seed of its keys, without which no leg is possible.
  seeded boolean NOT NULL,
  read_at timestamptz NOT NULL
);
REVOKE DELETE, TRUNCATE ON leg_market_list FROM mandates_app;

-- The keeper lists the mandates whose vaults fund a leg.
CREATE INDEX mandate_with_leg ON mandate (id) WHERE hl_leg;
