-- Worth at which the keeper stops the agent, base units; 0 for none.
ALTER TABLE fact_mandate ADD COLUMN stop_line_usdc bigint NOT NULL DEFAULT 0 CHECK (stop_line_usdc >= 0);
