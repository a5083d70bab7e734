-- Posted prices; the newest version is in force, older ones rule what was submitted under them.
CREATE TABLE price (
  version integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  payout_point_price integer NOT NULL CHECK (payout_point_price > 0),
  posted_by bigint,
  posted_at timestamptz NOT NULL
);
INSERT INTO price (payout_point_price, posted_at) VALUES (5, '2026-01-01T00:00:00Z');

-- One row per account that ever submitted; locked while its submissions are counted and its payouts planned.
CREATE TABLE miner (
  account_id bigint PRIMARY KEY,
  approved integer NOT NULL DEFAULT 0,
  rejected integer NOT NULL DEFAULT 0,
  rejections_in_a_row integer NOT NULL DEFAULT 0,
  paused_until timestamptz,
  -- Wilson lower bound of approved/(approved+rejected), which orders the queue.
  standing double precision NOT NULL DEFAULT 0 CHECK (standing BETWEEN 0 AND 1)
);

CREATE TABLE submission (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  account_id bigint NOT NULL REFERENCES miner,
  wallet text,
  token_id text NOT NULL,
  exchange text NOT NULL,
  symbol text NOT NULL,
  base text NOT NULL,
  field_name text NOT NULL,
  field_value text NOT NULL,
  evidence_url text NOT NULL,
  points integer NOT NULL CHECK (points > 0),
  cherry bigint NOT NULL CHECK (cherry > 0),
  price_version integer NOT NULL REFERENCES price,
  checks jsonb NOT NULL,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'approved', 'rejected')),
  submitted_at timestamptz NOT NULL,
  reviewed_at timestamptz,
  review_reason text,
  CHECK (status <> 'approved' OR reviewed_at IS NOT NULL)
);
-- One pending submission per field of a token, whoever submits and however many at once.
CREATE UNIQUE INDEX submission_one_pending ON submission (token_id, field_name) WHERE status = 'pending';
CREATE INDEX submission_pending_by_age ON submission (submitted_at) WHERE status = 'pending';
CREATE INDEX submission_pending_by_account ON submission (account_id) WHERE status = 'pending';
CREATE INDEX submission_by_account ON submission (account_id, seq DESC);

-- Every decision of a reviewer, for ever. A reviewer (wallet) decides once on a submission.
CREATE TABLE decision (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  submission_id text NOT NULL REFERENCES submission,
  reviewer_account_id bigint NOT NULL,
  reviewer_wallet text NOT NULL,
  decision text NOT NULL CHECK (decision IN ('approve', 'reject')),
  reason text,
  decided_at timestamptz NOT NULL,
  CHECK (decision = 'approve' OR length(reason) > 0),
  UNIQUE (submission_id, reviewer_wallet)
);

-- The approved value that stands today.
CREATE TABLE verified_field (
  token_id text NOT NULL,
  field_name text NOT NULL,
  base text NOT NULL,
  field_value text NOT NULL,
  skeleton text NOT NULL,
  submission_id text NOT NULL REFERENCES submission,
  verified_at timestamptz NOT NULL,
  PRIMARY KEY (token_id, field_name)
);
CREATE INDEX verified_field_by_skeleton ON verified_field (field_name, skeleton);
CREATE INDEX verified_field_by_base ON verified_field (base, field_name);

-- One reward per approved submission. queued: waits for pay_on; released: the ledger was told; paid: it has booked.
CREATE TABLE payout (
  submission_id text PRIMARY KEY REFERENCES submission,
  seq bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  account_id bigint NOT NULL REFERENCES miner,
  cherry bigint NOT NULL CHECK (cherry > 0),
  status text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'released', 'paid')),
  pay_on date NOT NULL,
  approved_at timestamptz NOT NULL,
  paid_at timestamptz,
  CHECK ((status = 'paid') = (paid_at IS NOT NULL))
);
CREATE INDEX payout_queued ON payout (pay_on, seq) WHERE status = 'queued';
CREATE INDEX payout_queued_by_account ON payout (account_id, seq) WHERE status = 'queued';
CREATE INDEX payout_by_account_day ON payout (account_id, pay_on);

-- What the evidence checker saw; a row without finding waits to be fetched at next_at.
CREATE TABLE evidence (
  submission_id text PRIMARY KEY REFERENCES submission,
  attempts integer NOT NULL DEFAULT 0,
  next_at timestamptz,
  finding jsonb
);
CREATE INDEX evidence_due ON evidence (next_at) WHERE next_at IS NOT NULL;

REVOKE UPDATE, DELETE, TRUNCATE ON price FROM mining_app;
REVOKE UPDATE, DELETE, TRUNCATE ON decision FROM mining_app;
REVOKE DELETE, TRUNCATE ON submission, payout, miner FROM mining_app;
