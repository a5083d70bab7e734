-- Spends weight from the own share of a class, in one round trip. Spenders of an address wait for each other, so that two
-- cannot spend the same weight. Returns false and spends nothing if the share of the last minute does not suffice. The
-- commit does not wait for the disk: a crash of Postgres forgets less than the last second.
CREATE FUNCTION spend_own_share(p_egress text, p_class text, p_share integer, p_weight integer) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  PERFORM pg_advisory_xact_lock(hashtextextended('venue_weight ' || p_egress, 0));
  IF p_weight > p_share - coalesce((
    SELECT sum(weight) FROM venue_weight
    WHERE egress = p_egress AND class = p_class AND at > clock_timestamp() - interval '1 minute'), 0)
  THEN
    RETURN false;
  END IF;
  INSERT INTO venue_weight (egress, class, lent, at, weight)
  VALUES (p_egress, p_class, false, date_trunc('second', clock_timestamp()), p_weight)
  ON CONFLICT (egress, class, lent, at) DO UPDATE SET weight = venue_weight.weight + excluded.weight;
  RETURN true;
END $$;
