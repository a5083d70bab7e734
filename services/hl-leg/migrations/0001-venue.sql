-- Nonces of signers. The venue admits a nonce of a signer once; processes draw them here and nowhere else.
CREATE TABLE signer (
  address text PRIMARY KEY CHECK (address ~ '^0x[0-9a-f]{40}$'),
  last_nonce bigint NOT NULL
);
