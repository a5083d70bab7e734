-- Events whose reaction failed for another reason than an outage. After the declared number of tries a row is 'dead':
-- the consumer has given the event up, and a person replays or drops it.
CREATE TABLE dead_letter (
  event_id text PRIMARY KEY,
  subject text NOT NULL,
  -- The envelope as it was delivered: the stream does not keep what its consumers have ended.
  envelope json NOT NULL,
  tries integer NOT NULL DEFAULT 1,
  state text NOT NULL DEFAULT 'trying' CHECK (state IN ('trying', 'dead', 'replay')),
  error text NOT NULL,
  failed_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX dead_letter_replay ON dead_letter (failed_at) WHERE state = 'replay';
