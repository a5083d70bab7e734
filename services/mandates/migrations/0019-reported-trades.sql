-- What agents report of transactions that bought or sold, against what the chain shows of them. Amounts are USDC base units.
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
REVOKE DELETE, TRUNCATE ON reported_trade FROM mandates_app;

-- Items end with their mandate.
UPDATE approval a SET status = 'expired', expires_at = least(a.expires_at, now()) FROM mandate m
WHERE m.id = a.mandate_id AND a.status IN ('pending', 'approved') AND m.state IN ('stopped', 'ended', 'closed');
