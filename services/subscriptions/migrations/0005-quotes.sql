-- What an account was told that a purchase costs; honoured once, before expires_at.
CREATE TABLE quote (
  account_id bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  tier smallint NOT NULL CHECK (tier IN (1, 2)),
  months smallint NOT NULL CHECK (months BETWEEN 1 AND 12),
  action text NOT NULL CHECK (action IN ('start', 'extend', 'upgrade')),
  price bigint NOT NULL,
  credit bigint NOT NULL,
  charge bigint NOT NULL,
  leftover bigint NOT NULL,
  quoted_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL CHECK (expires_at > quoted_at),
  -- The purchase that used it.
  purchase_id bigint REFERENCES purchase,
  PRIMARY KEY (account_id, id)
);
