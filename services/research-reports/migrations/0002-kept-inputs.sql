-- A report keeps the inputs of its file as long as itself, so that a lost file is made again. `spared` counts the attempts
-- that do not count against the maximum: those before the file was lost, and those that an outage ended. The description
-- of a lost file (pages, bytes, sha256) stays while the file is made again. A report of an earlier release has no inputs
-- until the job keepInputs has read them from its file.
ALTER TABLE report ADD COLUMN spared smallint NOT NULL DEFAULT 0 CHECK (spared >= 0);
-- suits the last release: both conditions are weaker than those that they replace.
ALTER TABLE report
  DROP CONSTRAINT report_check,
  DROP CONSTRAINT report_check1,
  ADD CONSTRAINT ready_is_described CHECK (status <> 'ready' OR (pages IS NOT NULL AND bytes IS NOT NULL AND sha256 IS NOT NULL)),
  ADD CONSTRAINT generating_has_inputs CHECK (status <> 'generating' OR inputs IS NOT NULL);
