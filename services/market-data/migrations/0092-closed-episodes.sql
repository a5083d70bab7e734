-- Readers ask which episodes ended since a time; without it every closed episode would be read.
CREATE INDEX crisis_episode_closed ON crisis_episode (closed_at DESC) WHERE closed_at IS NOT NULL;
