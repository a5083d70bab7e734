-- Mandates with their limits. Amounts are USDC base units (6 decimals).
CREATE TABLE mandate (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  public_id text NOT NULL UNIQUE,
  -- keccak256 of the public id, which is how a factory names the mandate.
  id_hash text NOT NULL UNIQUE,
  -- Null while a draft waits to be claimed.
  owner_id bigint,
  owner_wallet text,
  -- SHA-256 of the claim token; null once claimed.
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
  -- Null holds nothing.
  approval_above numeric(39),
  markets text[] NOT NULL,
  ends_at timestamptz NOT NULL,
  fee_bps integer NOT NULL,
  hl_leg boolean NOT NULL,
  agent_id bigint,
  agent_wallet text,
  accepted_at timestamptz,
  stopped_in_record_at timestamptz,
  created_at timestamptz NOT NULL,
  changed_at timestamptz NOT NULL,
  -- When a draft lapses; null once signed.
  expires_at timestamptz,
  -- Newest entry of the record.
  record_seq bigint NOT NULL DEFAULT 0,
  record_hash text NOT NULL DEFAULT '',
  CHECK ((owner_id IS NULL) = (owner_wallet IS NULL)),
  CHECK (owner_id IS NOT NULL OR (claim_hash IS NOT NULL AND state = 'draft')),
  CHECK ((agent_id IS NULL) = (agent_wallet IS NULL)),
  CHECK ((state = 'draft') = (expires_at IS NOT NULL) OR state = 'stopped'),
  CHECK (0 < per_tx_cap AND per_tx_cap <= daily_cap AND daily_cap <= budget),
  CHECK (stop_line < budget AND approval_above <= per_tx_cap)
);
CREATE INDEX mandate_by_owner ON mandate (owner_id, id DESC) WHERE owner_id IS NOT NULL;
CREATE INDEX mandate_by_agent ON mandate (agent_id, id DESC) WHERE agent_id IS NOT NULL;
CREATE INDEX mandate_open_by_end ON mandate (ends_at) WHERE state IN ('signed', 'working', 'paused');
CREATE INDEX mandate_unclaimed ON mandate (expires_at) WHERE owner_id IS NULL;

-- Every signature on the terms of a mandate; the newest counts. `terms` are the figures and parties that were
-- signed, so that the digest can be computed again when catalogue or wording are others.
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

-- The vault of a mandate. Not deleted when a reorganisation takes its creation away: canonical says whether it is there.
CREATE TABLE vault (
  mandate_id bigint PRIMARY KEY REFERENCES mandate,
  chain_id bigint NOT NULL,
  address text NOT NULL,
  factory text NOT NULL,
  version integer NOT NULL CHECK (version IN (1, 2)),
  creation_tx text NOT NULL,
  -- Agent that the terms pin; AgentSet facts change who may act.
  agent text NOT NULL,
  canonical boolean NOT NULL DEFAULT true,
  -- Revision of the creation that was applied; 0 is its receipt.
  revision integer NOT NULL DEFAULT 0,
  attached_at timestamptz NOT NULL,
  -- The contract's own books, folded from its facts; {} before the first.
  books jsonb NOT NULL DEFAULT '{}',
  -- Block of the newest fact in the books.
  books_block bigint,
  UNIQUE (chain_id, address)
);

-- What the vaults logged, by the identity of the log in its transaction. A log that a reorganisation took away stays
-- with canonical false; the highest revision counts, 0 is a receipt that the sweep has not confirmed yet.
CREATE TABLE chain_fact (
  chain_id bigint NOT NULL,
  tx_hash text NOT NULL,
  log_ordinal integer NOT NULL,
  vault text NOT NULL,
  name text NOT NULL,
  args jsonb NOT NULL,
  block_number bigint NOT NULL,
  block_hash text NOT NULL,
  block_time timestamptz NOT NULL,
  revision integer NOT NULL,
  canonical boolean NOT NULL,
  -- Facts of one block are told in the order of the chain; a fact that is told again takes its new place.
  arrived bigint GENERATED ALWAYS AS IDENTITY,
  PRIMARY KEY (chain_id, tx_hash, log_ordinal)
);
CREATE INDEX chain_fact_of_vault ON chain_fact (chain_id, vault, name, block_number) WHERE canonical;

-- The record: each entry holds the hash of the one before it, so that none can be changed or left out unseen.
CREATE TABLE record_entry (
  mandate_id bigint NOT NULL REFERENCES mandate,
  seq bigint NOT NULL CHECK (seq > 0),
  at timestamptz NOT NULL,
  kind text NOT NULL,
  source text NOT NULL CHECK (source IN ('chain', 'venue', 'server', 'agent', 'owner', 'keeper')),
  tx_hash text,
  -- The whole entry as it is hashed (RFC 8785), with seq and the previous hash.
  entry jsonb NOT NULL,
  hash text NOT NULL,
  PRIMARY KEY (mandate_id, seq)
);
CREATE INDEX record_entry_by_kind ON record_entry (mandate_id, kind, at DESC);

-- Drafts saved without a session, by client and UTC day. The client is stored as a hash that is no use the next day.
CREATE TABLE draft_count (
  client text NOT NULL,
  day date NOT NULL,
  count integer NOT NULL,
  PRIMARY KEY (client, day)
);
CREATE INDEX draft_count_by_day ON draft_count (day);

REVOKE UPDATE, DELETE, TRUNCATE ON signed_terms FROM mandates_app;
REVOKE UPDATE, DELETE, TRUNCATE ON record_entry FROM mandates_app;
REVOKE DELETE, TRUNCATE ON vault, chain_fact FROM mandates_app;
