-- The record. Each entry contains the hash of the entry before it, so that a changed or missing entry shows.
CREATE TABLE record_entry (
  mandate_id bigint NOT NULL REFERENCES mandate,
  seq bigint NOT NULL CHECK (seq > 0),
  at timestamptz NOT NULL,
  kind text NOT NULL,
  source text NOT NULL CHECK (source IN ('chain', 'venue', 'server', 'agent', 'owner', 'keeper')),
  tx_hash text,
  -- The whole entry as it is hashed (RFC 8785), with seq and the previous hash.
  entry jsonb NOT NULL,
  hash text NOT NULL,
  PRIMARY KEY (mandate_id, seq)
);
-- Reports of agents are most of the record, and are never searched by their kind.
CREATE INDEX record_entry_by_kind ON record_entry (mandate_id, kind, at DESC) WHERE kind <> 'event';
CREATE INDEX record_entry_by_time ON record_entry (mandate_id, at DESC);
-- Groups of the record: entries of one transaction, or of one held call. No id of an approval looks like a transaction hash.
CREATE INDEX record_entry_by_group ON record_entry (mandate_id, coalesce(tx_hash, entry->'body'->>'approval_id'))
  WHERE coalesce(tx_hash, entry->'body'->>'approval_id') IS NOT NULL;

-- Trades that agents reported, compared with what the chain shows of their transactions. Amounts are USDC base units.
CREATE TABLE reported_trade (
  mandate_id bigint NOT NULL REFERENCES mandate,
  -- Entry of the record.
  seq bigint NOT NULL,
  tx_hash text NOT NULL,
  side text NOT NULL CHECK (side IN ('buy', 'sell')),
  amount numeric(39),
  -- Null while the chain shows nothing of the transaction.
  contradicts boolean,
  PRIMARY KEY (mandate_id, seq)
);
CREATE INDEX reported_trade_of_tx ON reported_trade (mandate_id, tx_hash);
CREATE INDEX reported_trade_contradicts ON reported_trade (mandate_id) WHERE contradicts;

REVOKE UPDATE, DELETE, TRUNCATE ON record_entry FROM mandates_app;
REVOKE DELETE, TRUNCATE ON reported_trade FROM mandates_app;
