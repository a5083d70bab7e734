-- Marks of blocks that a reorganisation replaced are taken away, also when they are stored after it was noticed.
CREATE TABLE reorganisation (
  chain_id bigint NOT NULL,
  -- The newest block that stayed.
  ancestor_number bigint NOT NULL,
  noticed_at timestamptz NOT NULL,
  PRIMARY KEY (chain_id, ancestor_number, noticed_at)
);
CREATE INDEX worth_by_block ON worth (block_number);
