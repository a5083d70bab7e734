-- Transactions that the house decided to send, and their outcomes. A row exists before anything is signed. It receives its
-- nonce together with its first signed transaction, before that leaves the process. A nonce belongs to one row, and the
-- chain accepts one transaction per nonce: so no decision is carried out twice.
CREATE TABLE transaction (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  chain_id bigint NOT NULL,
  -- Account that sends.
  sender text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('mark', 'settle')),
  public_id text NOT NULL,
  vault text NOT NULL,
  data text NOT NULL,
  decided_at timestamptz NOT NULL,
  -- Null while the row waits to be signed.
  nonce bigint CHECK (nonce >= 0),
  ended_at timestamptz,
  -- done; reverted: mined without effect; cancelled: a cancellation used the nonce; nonce_taken: another program used the
  -- nonce; refused: the call would revert; expired: the row waited too long; lost: decided or signed for a chain that no
  -- longer exists (nonces of such a chain are null).
  outcome text CHECK (outcome IN ('done', 'reverted', 'cancelled', 'nonce_taken', 'refused', 'expired', 'lost')),
  detail text,
  -- The transaction that was mined.
  tx_hash text,
  CHECK ((ended_at IS NULL) = (outcome IS NULL))
);
CREATE INDEX transaction_open ON transaction (chain_id, sender, id) WHERE ended_at IS NULL;
CREATE UNIQUE INDEX transaction_waiting ON transaction (chain_id, vault) WHERE ended_at IS NULL AND nonce IS NULL;
CREATE UNIQUE INDEX transaction_nonce ON transaction (chain_id, sender, nonce) WHERE ended_at IS NULL;
CREATE INDEX transaction_ended ON transaction (ended_at) WHERE ended_at IS NOT NULL;

-- Signed forms of a transaction: the call, and cancellations with the same nonce.
CREATE TABLE attempt (
  transaction_id bigint NOT NULL REFERENCES transaction ON DELETE CASCADE,
  number integer NOT NULL CHECK (number > 0),
  kind text NOT NULL CHECK (kind IN ('call', 'cancel')),
  tx_hash text NOT NULL,
  raw text NOT NULL,
  -- Wei per unit of gas.
  fee_max numeric(39) NOT NULL,
  tip_max numeric(39) NOT NULL,
  signed_at timestamptz NOT NULL,
  PRIMARY KEY (transaction_id, number)
);

-- The chain that a chain id last stood for, identified by the hash of its block 1: a local chain can be recreated under
-- the same id.
CREATE TABLE known_chain (
  chain_id bigint PRIMARY KEY,
  first_block text NOT NULL
);
