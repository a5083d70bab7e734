-- Which figures of a row the owner set. For the trade pages only such a figure is the owner's limit, which binds both doors; the
-- other one is the default of the settings. Of an earlier row this is not known, so both bind: the lower figure is the safer one.
ALTER TABLE order_cap ADD COLUMN per_order_set boolean NOT NULL DEFAULT true,
  ADD COLUMN daily_set boolean NOT NULL DEFAULT true;

-- What the opening paper orders of an owner filled on the newest UTC day with one, in all books. It is no part of the live day.
CREATE TABLE paper_use (
  owner_id bigint PRIMARY KEY,
  day date NOT NULL,
  used_usdc numeric NOT NULL CHECK (used_usdc >= 0)
);
