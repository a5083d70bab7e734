-- Movements of accounts' Cherry as subscriptions tells them; the ledger itself is there. For the activity of agents.
CREATE TABLE cherry_move (
  account_id bigint NOT NULL,
  transfer_id bigint NOT NULL,
  amount bigint NOT NULL,
  kind text NOT NULL,
  reference text NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (account_id, transfer_id)
);
CREATE INDEX cherry_move_of_account ON cherry_move (account_id, at DESC, transfer_id DESC);
CREATE INDEX transfer_of_agent_by_time ON transfer (agent_id, reported_at DESC, id DESC);
REVOKE UPDATE, DELETE, TRUNCATE ON cherry_move FROM mandates_app;
