-- The highest head of each mandate's record that was signed: what came before it is never signed again.
CREATE TABLE record_heads (
  mandate text PRIMARY KEY,
  seq bigint NOT NULL CHECK (seq > 0),
  hash text NOT NULL CHECK (hash ~ '^[0-9a-f]{64}$'),
  signed_at timestamptz NOT NULL
) WITH (fillfactor = 70);
REVOKE DELETE, TRUNCATE ON record_heads FROM identity_app;
