-- Legs of mandates: whose account at the venue a mandate trades in, and which key may trade there. Addresses are lower case.
CREATE TABLE leg (
  public_id text PRIMARY KEY,
  network text NOT NULL CHECK (network IN ('testnet', 'mainnet')),
  owner_id bigint NOT NULL,
  owner_address text NOT NULL CHECK (owner_address ~ '^0x[0-9a-f]{40}$'),
  state text NOT NULL CHECK (state IN ('proposed', 'bound', 'revoked', 'expired', 'orphaned', 'unsupported', 'released')),
  -- Why the state is what it is, such as replaced; null for the usual cause.
  reason text,
  state_at timestamptz NOT NULL,
  -- The key that is bound, or was last; null before the first bind.
  epoch integer,
  agent_address text CHECK (agent_address ~ '^0x[0-9a-f]{40}$'),
  seed_fingerprint text,
  -- Until when the venue lists the key.
  valid_until timestamptz,
  -- First bind since the leg was last free: from then on payments that are not ours are foreign.
  bound_at timestamptz,
  -- When the owner last asked for an approval.
  asked_at timestamptz,
  -- When the venue said that the address is an account of a person.
  known_at timestamptz,
  -- When the account is read next; null: at once.
  read_due_at timestamptz,
  -- What the last survey of the account found; null before the first, and if one is due at once.
  surveyed_at timestamptz,
  foreign_agents integer,
  foreign_fills integer,
  checks jsonb,
  -- The owner was told that the approval ends early.
  end_told_at timestamptz,
  CHECK (state IN ('proposed', 'released') OR
    (epoch IS NOT NULL AND agent_address IS NOT NULL AND seed_fingerprint IS NOT NULL AND bound_at IS NOT NULL))
);
-- An owner has at most one live leg on a network.
CREATE UNIQUE INDEX leg_owner_live ON leg (network, owner_address)
  WHERE state IN ('bound', 'revoked', 'expired', 'orphaned', 'unsupported');
CREATE INDEX leg_asked ON leg (asked_at) WHERE state = 'proposed';

-- Keys that were derived for a leg. The venue approves an address once, so an epoch is never used again.
CREATE TABLE leg_key (
  public_id text NOT NULL REFERENCES leg,
  epoch integer NOT NULL CHECK (epoch >= 0),
  agent_address text NOT NULL UNIQUE,
  seed_fingerprint text NOT NULL,
  derived_at timestamptz NOT NULL,
  -- The venue has seen the address: it was approved once, or the venue says so.
  used_at timestamptz,
  PRIMARY KEY (public_id, epoch)
);

-- Approvals as they were served. The exact text of the action is kept: strings hash as they were written.
CREATE TABLE approval_offer (
  public_id text NOT NULL REFERENCES leg,
  nonce bigint NOT NULL,
  epoch integer NOT NULL,
  action text NOT NULL,
  valid_until timestamptz NOT NULL,
  served_at timestamptz NOT NULL,
  -- The bytes that were relayed, stored before they were sent.
  body text,
  PRIMARY KEY (public_id, nonce)
);
