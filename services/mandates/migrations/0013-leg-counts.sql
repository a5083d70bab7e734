-- What statements and Record strips count of orders of legs.
CREATE INDEX leg_reservation_traded ON leg_reservation (mandate_id) WHERE outcome = 'filled' AND ordered_by = 'agent';
CREATE INDEX leg_reservation_approved ON leg_reservation (mandate_id, reserved_at) WHERE approval_id IS NOT NULL;
