-- Worth of mandates over time, as the keeper computed it. Amounts are USDC base units. Rows older than 45 days are
-- forgotten but for the closing row of each UTC day.
CREATE TABLE worth (
  mandate_id bigint NOT NULL REFERENCES mandate,
  at timestamptz NOT NULL,
  -- Null when it was withheld.
  worth numeric(39),
  vault_worth numeric(39) NOT NULL,
  positions_worth numeric(39),
  leg_worth numeric(39),
  source text NOT NULL CHECK (source IN ('keeper', 'poller')),
  block_number bigint NOT NULL,
  withheld_reason text,
  PRIMARY KEY (mandate_id, at),
  CHECK ((worth IS NULL) = (withheld_reason IS NOT NULL))
);
CREATE INDEX worth_by_time ON worth (at);
CREATE INDEX worth_known ON worth (mandate_id, at DESC) WHERE worth IS NOT NULL;
