-- Who stopped the mandate in the record: its owner (also null), or the stop line of the leg, until the owner does too.
ALTER TABLE mandate ADD COLUMN stopped_in_record_by text CHECK (stopped_in_record_by IN ('owner', 'stop_line'));

-- Orders of legs are held like calls. `leg_order` is the order as its agent requested it; its target is the zero address.
ALTER TABLE approval ADD COLUMN kind text NOT NULL DEFAULT 'call' CHECK (kind IN ('call', 'leg_order'));
ALTER TABLE approval ADD COLUMN leg_order jsonb;
-- The order that used the approval; null again after the venue missed it whole.
ALTER TABLE approval ADD COLUMN used_order text;
ALTER TABLE approval DROP CONSTRAINT approval_check;
ALTER TABLE approval ADD CONSTRAINT approval_use CHECK
  ((status = 'used') = (used_tx IS NOT NULL OR used_order IS NOT NULL) AND (used_tx IS NULL OR used_order IS NULL));
ALTER TABLE approval ADD CHECK ((kind = 'leg_order') = (leg_order IS NOT NULL));

-- Orders of legs that were let through, once each. Amounts are USDC base units. The amount is reserved until the order is
-- resolved; from then on the fill counts, on the UTC day of the reservation.
CREATE TABLE leg_reservation (
  mandate_id bigint NOT NULL REFERENCES mandate,
  order_key text NOT NULL,
  -- Days since 1970-01-01.
  day bigint NOT NULL,
  -- Size times worst price; zero for an order that closes.
  reserved numeric(39) NOT NULL,
  approval_id text REFERENCES approval,
  -- The judgement as it was answered; null for an order that closed and was told when it was resolved.
  judgement jsonb,
  reserved_at timestamptz NOT NULL,
  -- Null until the order is resolved.
  outcome text CHECK (outcome IN ('filled', 'missed')),
  -- What the fill counts, at most what was judged; zero for an order that closes.
  used numeric(39) NOT NULL DEFAULT 0,
  fee numeric(39) NOT NULL DEFAULT 0,
  -- Loss of the fill against the mark at sending, for orders of the agent.
  bad_fill numeric(39) NOT NULL DEFAULT 0,
  resolved_at timestamptz,
  PRIMARY KEY (mandate_id, order_key),
  CHECK ((outcome IS NULL) = (resolved_at IS NULL))
);
CREATE INDEX leg_reservation_of_day ON leg_reservation (mandate_id, day);
CREATE TRIGGER leg_reservation_touches AFTER INSERT OR UPDATE ON leg_reservation FOR EACH ROW EXECUTE FUNCTION touch_mandate();

-- Newest request of an agent that names its mandate, to the minute.
CREATE TABLE agent_act (
  mandate_id bigint PRIMARY KEY REFERENCES mandate,
  at timestamptz NOT NULL
);

REVOKE DELETE, TRUNCATE ON leg_reservation FROM mandates_app;
