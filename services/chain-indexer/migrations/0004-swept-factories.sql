-- Factories that the stream vault_events reads. For one that was configured when the stream had passed blocks already, these
-- are read apart from `next_block` on; null once the stream has it. Its vaults are not the stream's before that.
CREATE TABLE swept_factory (
  chain_id bigint NOT NULL,
  -- In lower case.
  address text NOT NULL,
  next_block bigint,
  PRIMARY KEY (chain_id, address)
);
INSERT INTO swept_factory (chain_id, address) SELECT DISTINCT chain_id, lower(factory) FROM vault;
