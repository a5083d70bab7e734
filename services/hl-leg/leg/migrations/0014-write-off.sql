-- Who wrote off a debt, and why.
ALTER TABLE leg_debt ADD COLUMN admin_id bigint, ADD COLUMN reason text,
  ADD CONSTRAINT leg_debt_written_off CHECK (
    (cause = 'written_off') = (admin_id IS NOT NULL) AND (cause = 'written_off') = (reason IS NOT NULL)
    AND (cause <> 'written_off' OR amount < 0));
