-- Payments from owners to the pool that no transfer announced, and how each was divided. USDC base units.
CREATE TABLE pool_payment (
  network text NOT NULL,
  venue_hash text NOT NULL,
  public_id text NOT NULL,
  owner_address text NOT NULL,
  to_debt numeric(39) NOT NULL CHECK (to_debt >= 0),
  to_leg numeric(39) NOT NULL CHECK (to_leg >= 0),
  -- Foreign money, which goes back.
  rest numeric(39) NOT NULL CHECK (rest >= 0),
  venue_at timestamptz NOT NULL,
  PRIMARY KEY (network, venue_hash)
);
CREATE INDEX pool_payment_of_mandate ON pool_payment (public_id);
CREATE INDEX pool_payment_of_owner ON pool_payment (network, owner_address);
REVOKE UPDATE, DELETE, TRUNCATE ON pool_payment FROM hl_leg_app;
