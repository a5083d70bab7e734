-- What the house decided to send to the chain, and what became of it. A row is there before anything is signed; it gets
-- its nonce together with its first signed transaction, before that leaves the process. One nonce belongs to one row,
-- and the chain takes one transaction of a nonce: so nothing that is decided once is carried out twice.
CREATE TABLE sending (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  chain_id bigint NOT NULL,
  -- Account that sends.
  sender text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('mark', 'settle')),
  public_id text NOT NULL,
  vault text NOT NULL,
  data text NOT NULL,
  decided_at timestamptz NOT NULL,
  -- Null while it waits to be signed.
  nonce bigint CHECK (nonce >= 0),
  ended_at timestamptz,
  -- done; reverted: mined without effect; cancelled: its nonce went to a cancellation; nonce_taken: somebody else used
  -- the nonce; refused: it would revert; expired: it waited for too long.
  outcome text CHECK (outcome IN ('done', 'reverted', 'cancelled', 'nonce_taken', 'refused', 'expired')),
  detail text,
  -- The transaction that was mined.
  tx_hash text,
  CHECK ((ended_at IS NULL) = (outcome IS NULL))
);
CREATE INDEX sending_open ON sending (chain_id, sender, id) WHERE ended_at IS NULL;
CREATE UNIQUE INDEX sending_waiting ON sending (chain_id, vault) WHERE ended_at IS NULL AND nonce IS NULL;
CREATE UNIQUE INDEX sending_nonce ON sending (chain_id, sender, nonce) WHERE ended_at IS NULL;
CREATE INDEX sending_ended ON sending (ended_at) WHERE ended_at IS NOT NULL;

-- Signed transactions of a sending: the call, and cancellations of the same nonce.
CREATE TABLE attempt (
  sending_id bigint NOT NULL REFERENCES sending ON DELETE CASCADE,
  number integer NOT NULL CHECK (number > 0),
  kind text NOT NULL CHECK (kind IN ('call', 'cancel')),
  tx_hash text NOT NULL,
  raw text NOT NULL,
  -- Wei for a unit of gas.
  fee_max numeric(39) NOT NULL,
  tip_max numeric(39) NOT NULL,
  signed_at timestamptz NOT NULL,
  PRIMARY KEY (sending_id, number)
);
