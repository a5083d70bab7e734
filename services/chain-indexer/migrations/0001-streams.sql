-- Position of each stream: the next block to read, and the block before it, whose hash reveals a reorganisation.
-- A writer of the stream locks the row, so that two instances never store the same block twice.
CREATE TABLE cursor (
  chain_id bigint NOT NULL,
  stream text NOT NULL CHECK (stream IN ('vault_events', 'reverts', 'deposits')),
  next_block bigint NOT NULL CHECK (next_block >= 0),
  anchor_number bigint NOT NULL CHECK (anchor_number = greatest(next_block - 1, 0)),
  anchor_hash text NOT NULL,
  -- Why the stream is stopped until an operator decides; null while it runs.
  stopped text,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (chain_id, stream)
);

-- Hashes of blocks that a stream has read: those with one of its facts, and the last block of each chunk. Hashes of
-- replaced blocks are deleted with the facts; hashes older than the window are deleted when the stream advances.
CREATE TABLE block_anchor (
  chain_id bigint NOT NULL,
  stream text NOT NULL,
  number bigint NOT NULL,
  hash text NOT NULL,
  block_time timestamptz NOT NULL,
  PRIMARY KEY (chain_id, stream, number)
);
