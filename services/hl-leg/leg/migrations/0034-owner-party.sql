-- The accounts of the party of an owner, as identity said last: bounds of lending are the party's.
CREATE TABLE owner_party (
  owner_id bigint PRIMARY KEY,
  account_ids bigint[] NOT NULL
);
