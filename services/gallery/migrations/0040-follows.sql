-- Follows: a mandate points at the signals of an operator vault. One row is the follow, its vault and the bound account.
CREATE TABLE follow (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  -- Public id of the mandate.
  mandate_id text NOT NULL,
  listing_id text NOT NULL REFERENCES listing,
  vault_id text NOT NULL REFERENCES operator (vault_id),
  -- Agent of the mandate at the hire: the house runner.
  agent_id bigint NOT NULL,
  owner_id bigint NOT NULL,
  -- The mirror: the account at the venue in which the mandate trades. Never on the main network.
  network text NOT NULL CHECK (network = 'testnet'),
  account text NOT NULL,
  -- Newest signal of the vault at the hire: it and all before are never followed.
  after_seq bigint NOT NULL CHECK (after_seq >= 0),
  -- Each signal above after_seq up to this one has its verdict.
  decided_seq bigint NOT NULL CHECK (decided_seq >= after_seq),
  hired_by bigint NOT NULL,
  hired_at timestamptz NOT NULL,
  ended_at timestamptz,
  end_reason text CHECK (end_reason IN ('released', 'listing_withdrawn', 'listing_suspended', 'operator_ended',
    'mandate_stopped', 'agent_changed', 'leg_released')),
  -- Newest signal that was recorded before the end; later ones are none of this follow.
  last_seq bigint,
  -- The owner was told of the end; null until then.
  told_at timestamptz,
  CHECK ((ended_at IS NULL) = (end_reason IS NULL) AND (ended_at IS NULL) = (last_seq IS NULL)),
  CHECK (decided_seq <= coalesce(last_seq, decided_seq))
);
-- One active follow a mandate, whatever calls came side by side.
CREATE UNIQUE INDEX follow_active ON follow (mandate_id) WHERE ended_at IS NULL;
CREATE INDEX follow_of_mandate ON follow (mandate_id, seq DESC);
CREATE INDEX follow_of_vault ON follow (vault_id) WHERE ended_at IS NULL;
CREATE INDEX follow_undecided ON follow (seq) WHERE ended_at IS NULL OR decided_seq < last_seq;

-- The follow-gap ledger: one verdict per signal and follow, and per signal and mandate, for ever.
CREATE TABLE verdict (
  -- No foreign key: rows are stored under the lock of their follow, a thousand signals of a thousand follows within a minute.
  follow_id text NOT NULL,
  -- Of the signal, with the vault.
  seq bigint NOT NULL,
  mandate_id text NOT NULL,
  vault_id text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('followed', 'skipped_stale', 'skipped_limit', 'skipped_no_leg', 'skipped_no_runner_key',
    'skipped_unpaid', 'refused', 'failed', 'dry_followed', 'dry_skipped_stale', 'dry_skipped_limit', 'dry_skipped_no_leg',
    'dry_skipped_no_runner_key', 'dry_skipped_unpaid', 'dry_refused', 'dry_failed')),
  -- Why, as a code: at_target, over_daily_cap, follow_ended. It names no market and no side.
  reason text,
  -- Prices and what lies between them; null unless something was executed, or scored in a dry run.
  signal_price numeric,
  fill_price numeric,
  -- From the recording of the signal to the execution.
  delay_ms bigint CHECK (delay_ms >= 0),
  -- How much worse the follower traded, in basis points of the signal's price; below zero: better.
  gap_bps numeric,
  notional_usdc bigint CHECK (notional_usdc >= 0),
  decided_at timestamptz NOT NULL,
  -- One verdict per signal and mandate, so also per signal and follow: a mandate that follows a vault again begins behind what it
  -- followed before.
  PRIMARY KEY (mandate_id, vault_id, seq),
  CHECK ((fill_price IS NULL) = (gap_bps IS NULL) AND (fill_price IS NULL) = (delay_ms IS NULL)),
  CHECK (fill_price IS NULL OR kind IN ('followed', 'dry_followed')),
  CHECK (kind <> 'skipped_unpaid' OR signal_price IS NULL)
);
-- Figures of a vault are those of its newest scored verdicts, dry ones apart.
CREATE INDEX verdict_gaps ON verdict (vault_id, (kind = 'followed'), decided_at DESC) INCLUDE (gap_bps)
  WHERE gap_bps IS NOT NULL;

-- Orders of the house runner: key and bytes are stored before they are sent, and sent again as they are.
CREATE TABLE follow_order (
  follow_id text NOT NULL REFERENCES follow,
  seq bigint NOT NULL,
  -- 2 opens after 1 closed the position on the other side.
  n smallint NOT NULL CHECK (n IN (1, 2)),
  -- Idempotency-Key: mandate, signal, n.
  key text NOT NULL UNIQUE,
  body text NOT NULL,
  -- The order names it: nothing is placed after this time.
  not_after timestamptz NOT NULL,
  planned_at timestamptz NOT NULL,
  -- What became of it; null until that is certain.
  outcome text CHECK (outcome IN ('filled', 'missed', 'refused', 'expired')),
  code text,
  size numeric,
  price numeric,
  ended_at timestamptz,
  PRIMARY KEY (follow_id, seq, n),
  CHECK ((outcome IS NULL) = (ended_at IS NULL)),
  CHECK ((outcome = 'filled') = (price IS NOT NULL) AND (outcome = 'filled') = (size IS NOT NULL))
);

-- Shadow books: what 1,000 USDC that follow a listing would have become, filled from the venue's real books.
CREATE TABLE shadow_book (
  listing_id text PRIMARY KEY REFERENCES listing,
  vault_id text NOT NULL REFERENCES operator (vault_id),
  agent_id bigint NOT NULL,
  start_usdc bigint NOT NULL CHECK (start_usdc > 0),
  -- start + sold − bought − fees + funding.
  cash_usdc bigint NOT NULL,
  -- Signed size by market.
  positions jsonb NOT NULL,
  equity_usdc bigint NOT NULL,
  -- Signals up to it are scored.
  scored_seq bigint NOT NULL CHECK (scored_seq >= 0),
  fills integer NOT NULL CHECK (fills >= 0),
  funding_usdc bigint NOT NULL,
  opened_at timestamptz NOT NULL,
  marked_at timestamptz NOT NULL
);
CREATE INDEX shadow_book_of_agent ON shadow_book (agent_id);

CREATE TABLE shadow_fill (
  listing_id text NOT NULL REFERENCES shadow_book,
  seq bigint NOT NULL,
  market text NOT NULL,
  side text NOT NULL CHECK (side IN ('buy', 'sell')),
  size numeric NOT NULL CHECK (size > 0),
  price numeric NOT NULL CHECK (price > 0),
  fee_usdc bigint NOT NULL,
  signal_price numeric NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (listing_id, seq)
);

-- Equity by hour, marked at the venue's prices.
CREATE TABLE shadow_mark (
  listing_id text NOT NULL REFERENCES shadow_book,
  at timestamptz NOT NULL,
  equity_usdc bigint NOT NULL,
  PRIMARY KEY (listing_id, at)
);

REVOKE DELETE, TRUNCATE ON follow, follow_order, shadow_book FROM gallery_app;
REVOKE UPDATE, DELETE, TRUNCATE ON verdict, shadow_fill, shadow_mark FROM gallery_app;
