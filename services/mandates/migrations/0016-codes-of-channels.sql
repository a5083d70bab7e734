-- A chat is proven like an address: by the code that was sent there. Of the codes of an owner and channel only the newest counts.
ALTER TABLE email_code RENAME TO channel_code;
ALTER TABLE channel_code RENAME COLUMN email TO address;
ALTER TABLE channel_code ADD COLUMN channel text NOT NULL DEFAULT 'email' CHECK (channel IN ('telegram', 'email'));
ALTER TABLE channel_code ALTER COLUMN channel DROP DEFAULT;
DROP INDEX email_code_of_owner, email_code_of_address, email_code_of_client;
CREATE INDEX channel_code_of_owner ON channel_code (owner_id, channel, id DESC);
CREATE INDEX channel_code_of_address ON channel_code (channel, lower(address), created_at);
CREATE INDEX channel_code_of_client ON channel_code (client, channel, created_at);
ALTER INDEX email_code_by_time RENAME TO channel_code_by_time;

-- Chats that were named before are nobody's proven chat.
DELETE FROM alert_channel WHERE channel = 'telegram';
