-- Few targets are paused; those that wait for a place at their venue are looked for every minute.
CREATE INDEX target_paused ON target (account_id) WHERE status = 'paused';
