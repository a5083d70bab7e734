-- Nonces of order keys. The venue admits a nonce of a key once; processes draw them here and nowhere else.
CREATE TABLE signer (
  address text PRIMARY KEY CHECK (address ~ '^0x[0-9a-f]{40}$'),
  last_nonce bigint NOT NULL
);
