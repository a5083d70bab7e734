-- A mandate's row gets a new version whenever something changes that is polled of it, so that a reader can tell from
-- that row whether what it read before still holds. Marks are not among it: they are stored for many mandates at once,
-- and must not wait for whoever works on one of them.
CREATE FUNCTION touch_mandate() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE mandate SET changed_at = changed_at WHERE id = NEW.mandate_id;
  RETURN NULL;
END $$;
CREATE TRIGGER vault_touches AFTER INSERT OR UPDATE ON vault FOR EACH ROW EXECUTE FUNCTION touch_mandate();
CREATE TRIGGER approval_touches AFTER INSERT OR UPDATE ON approval FOR EACH ROW EXECUTE FUNCTION touch_mandate();
CREATE TRIGGER refusal_touches AFTER INSERT OR UPDATE ON refusal FOR EACH ROW EXECUTE FUNCTION touch_mandate();
