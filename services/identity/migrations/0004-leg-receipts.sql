-- Receipts of orders that were signed. An order has one receipt: another content for it is never signed.
CREATE TABLE leg_receipts (
  mandate text NOT NULL,
  cloid text NOT NULL,
  hash text NOT NULL,
  signed_at timestamptz NOT NULL,
  PRIMARY KEY (mandate, cloid)
);
REVOKE DELETE, TRUNCATE ON leg_receipts FROM identity_app;
