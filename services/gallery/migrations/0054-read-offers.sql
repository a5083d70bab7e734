-- What an account was offered for a page of signals: exactly these signals, for at most this price, once.
CREATE TABLE read_offer (
  id text COLLATE "C" PRIMARY KEY,
  account_id bigint NOT NULL,
  -- SHA-256 of method, path and query.
  resource_hash text COLLATE "C" NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  -- The whole page, what is paid for included.
  seqs integer[] NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL CHECK (expires_at > created_at),
  -- The answer, once the offer was paid: what it charged, and the newest signal at that time.
  used_at timestamptz,
  charged bigint CHECK (charged BETWEEN 0 AND amount),
  newest_seq integer,
  CHECK ((used_at IS NULL) = (charged IS NULL)),
  CHECK ((used_at IS NULL) = (newest_seq IS NULL))
);
CREATE INDEX read_offer_of ON read_offer (account_id, resource_hash);
