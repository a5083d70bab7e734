-- What Record strips count.
CREATE INDEX execution_standing ON execution (mandate_id, verdict) WHERE canonical;
CREATE INDEX cherry_move_of_mining ON cherry_move (account_id) WHERE kind = 'mining_reward';
