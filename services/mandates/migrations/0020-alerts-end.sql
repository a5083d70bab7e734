-- resolved_at: when nothing was left to do about an alert; null while it is open.
ALTER TABLE alert ADD COLUMN resolved_at timestamptz;
CREATE INDEX alert_open ON alert (mandate_id, kind) WHERE resolved_at IS NULL;
UPDATE alert a SET resolved_at = m.state_since FROM mandate m WHERE m.id = a.mandate_id AND m.state = 'closed';
