-- Whether a venue's page of announcements still says what we can read: when it was last read, when it last held an announcement,
-- and what is wrong with its wording. The alarm is stored so that it is told once, whichever process reads the page.
ALTER TABLE venue
  ADD COLUMN announcements_read_at timestamptz,
  ADD COLUMN announcements_held_at timestamptz,
  ADD COLUMN announcements_wording text CHECK (announcements_wording IN ('known', 'nothing_read', 'no_known_title'));
