-- Limits of a mandate with a leg.
ALTER TABLE mandate
  -- Part of the budget that may be out at the leg at one time, in USDC base units; null without a leg, 0 without leg funding.
  ADD COLUMN leg_budget numeric(39) CHECK (leg_budget BETWEEN 0 AND budget),
  -- Minutes without a request of the agent after which its positions at the leg are closed; null: never.
  ADD COLUMN close_if_silent_minutes integer CHECK (close_if_silent_minutes BETWEEN 15 AND 10080),
  ADD CHECK (hl_leg OR (leg_budget IS NULL AND close_if_silent_minutes IS NULL));
