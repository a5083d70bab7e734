-- Mandates with their limits. Amounts are USDC base units (6 decimals).
CREATE TABLE mandate (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  public_id text NOT NULL UNIQUE,
  -- keccak256 of the public id, by which a factory names the mandate.
  id_hash text NOT NULL UNIQUE,
  -- Null until a draft is claimed.
  owner_id bigint,
  owner_wallet text,
  -- SHA-256 of the claim token; null once the draft is claimed.
  claim_hash text,
  state text NOT NULL DEFAULT 'draft'
    CHECK (state IN ('draft', 'signed', 'working', 'paused', 'stopped', 'ended', 'closed')),
  state_cause text,
  state_since timestamptz NOT NULL,
  name text NOT NULL,
  budget numeric(39) NOT NULL,
  per_tx_cap numeric(39) NOT NULL,
  daily_cap numeric(39) NOT NULL,
  stop_line numeric(39) NOT NULL,
  -- Null: no call needs an approval.
  approval_above numeric(39),
  markets text[] NOT NULL,
  ends_at timestamptz NOT NULL,
  fee_bps integer NOT NULL,
  hl_leg boolean NOT NULL,
  agent_id bigint,
  agent_wallet text,
  accepted_at timestamptz,
  stopped_in_record_at timestamptz,
  -- Newest block that was known at the stop, which orders the stop against the chain; null if the chain could not be read.
  stopped_block bigint,
  stopped_block_hash text,
  stopped_block_time timestamptz,
  created_at timestamptz NOT NULL,
  changed_at timestamptz NOT NULL,
  -- When a draft lapses; null once signed.
  expires_at timestamptz,
  -- Newest entry of the record.
  record_seq bigint NOT NULL DEFAULT 0,
  record_hash text NOT NULL DEFAULT '',
  -- Latest time of any entry, and newest entry that the chain proves: a poll compares these before it reads entries.
  record_at timestamptz,
  record_proved_seq bigint,
  CHECK ((owner_id IS NULL) = (owner_wallet IS NULL)),
  CHECK (owner_id IS NOT NULL OR (claim_hash IS NOT NULL AND state = 'draft')),
  CHECK ((agent_id IS NULL) = (agent_wallet IS NULL)),
  CHECK ((state = 'draft') = (expires_at IS NOT NULL) OR state = 'stopped'),
  CHECK (0 < per_tx_cap AND per_tx_cap <= daily_cap AND daily_cap <= budget),
  CHECK (stop_line < budget AND approval_above <= per_tx_cap)
)
-- Every entry of the record updates the row of its mandate: free room on the page keeps that update out of the indexes.
WITH (fillfactor = 70);
CREATE INDEX mandate_by_owner ON mandate (owner_id, id DESC) WHERE owner_id IS NOT NULL;
CREATE INDEX mandate_by_agent ON mandate (agent_id, id DESC) WHERE agent_id IS NOT NULL;
CREATE INDEX mandate_open_by_end ON mandate (ends_at) WHERE state IN ('signed', 'working', 'paused');
CREATE INDEX mandate_unclaimed ON mandate (expires_at) WHERE owner_id IS NULL;

-- Every signature on the terms of a mandate; the newest counts. `terms` stores the signed figures and parties, so that the
-- digest can be computed again after the catalogue or the wording has changed.
CREATE TABLE signed_terms (
  mandate_id bigint NOT NULL REFERENCES mandate,
  n integer NOT NULL,
  terms_hash text NOT NULL,
  chain_id bigint NOT NULL,
  factory text NOT NULL,
  signature text NOT NULL,
  terms jsonb NOT NULL,
  clauses jsonb NOT NULL,
  signed_at timestamptz NOT NULL,
  PRIMARY KEY (mandate_id, n)
);

-- Drafts saved without a session, by client and UTC day. The client is stored as a hash that changes each day.
CREATE TABLE draft_count (
  client text NOT NULL,
  day date NOT NULL,
  count integer NOT NULL,
  PRIMARY KEY (client, day)
);
CREATE INDEX draft_count_by_day ON draft_count (day);

-- Writes a new version of a mandate's row whenever anything changes that is polled of the mandate: a reader compares that
-- version to know whether an earlier read still holds. Marks do not fire it: they are stored for many mandates at once, and
-- must not wait for a transaction that has locked one of them.
CREATE FUNCTION touch_mandate() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE mandate SET changed_at = changed_at WHERE id = NEW.mandate_id;
  RETURN NULL;
END $$;

REVOKE UPDATE, DELETE, TRUNCATE ON signed_terms FROM mandates_app;
