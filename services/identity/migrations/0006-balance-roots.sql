-- The root over all balances that was signed for a day; another one for the same day is never signed.
CREATE TABLE balance_roots (
  day date PRIMARY KEY,
  root text NOT NULL,
  accounts bigint NOT NULL,
  computed_at timestamptz NOT NULL,
  signed_at timestamptz NOT NULL
);
REVOKE UPDATE, DELETE, TRUNCATE ON balance_roots FROM identity_app;
GRANT UPDATE (signed_at) ON balance_roots TO identity_app;
