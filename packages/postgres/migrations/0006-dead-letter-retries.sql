-- An open letter says why its event failed, since when it is open, and when the service tries it again by itself. A letter of
-- the last release has none of these: its name of the error stays in `error`, and its last failure stands for its age.
ALTER TABLE dead_letter ADD COLUMN failure json;
ALTER TABLE dead_letter ADD COLUMN dead_at timestamptz;
-- Null: only a person has the event tried again.
ALTER TABLE dead_letter ADD COLUMN retry_at timestamptz;
-- suits the last release: the table holds failed events alone, so the index is built in milliseconds
CREATE INDEX dead_letter_open ON dead_letter (subject, failed_at) WHERE state <> 'trying';
