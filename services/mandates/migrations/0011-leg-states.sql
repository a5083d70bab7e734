-- The leg of each mandate as hl-leg told of it last.
CREATE TABLE leg (
  mandate_id bigint PRIMARY KEY REFERENCES mandate,
  state text NOT NULL
    CHECK (state IN ('none', 'proposed', 'bound', 'revoked', 'expired', 'orphaned', 'unsupported', 'released')),
  network text NOT NULL CHECK (network IN ('testnet', 'mainnet')),
  -- Addresses as the venue writes them, in lower case.
  owner_address text NOT NULL,
  agent_address text,
  epoch bigint NOT NULL,
  valid_until timestamptz,
  changed_at timestamptz NOT NULL
);
CREATE INDEX leg_ending ON leg (valid_until) WHERE state = 'bound';
CREATE TRIGGER leg_touches AFTER INSERT OR UPDATE ON leg FOR EACH ROW EXECUTE FUNCTION touch_mandate();
