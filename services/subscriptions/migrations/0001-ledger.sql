-- Double-entry Cherry ledger. A balance is credits minus debits: a transfer takes its amount from
-- the debit account and gives it to the credit account, so the sum over all accounts stays zero.

-- Each CHECK is parsed and planned again by every statement that writes its table (2 to 3 µs each), so
-- the ledger keeps the one that guards the money; words are enums, and the rest of the rules stand in
-- ledger_post, the only writer that a running service may use.
CREATE TYPE ledger_account_kind AS ENUM ('user', 'hold', 'revenue', 'issuance');
CREATE TYPE ledger_purpose AS ENUM ('welcome', 'mining_reward', 'adjustment', 'revenue');
CREATE TYPE transfer_kind AS ENUM ('welcome', 'mining_reward', 'subscription', 'paid_read', 'adjustment');

CREATE TABLE ledger_account (
  id bigint PRIMARY KEY,
  balance bigint NOT NULL DEFAULT 0,
  -- Account of identity that owns it; null for the house's own accounts.
  holder_id bigint,
  kind ledger_account_kind NOT NULL,
  -- What a house account is for; null for user and hold accounts.
  purpose ledger_purpose,
  CONSTRAINT ledger_balance_not_negative CHECK (balance >= 0 OR kind = 'issuance')
) WITH (
  -- Room in each page for new row versions: balances change by HOT updates, which touch no index.
  fillfactor = 50,
  autovacuum_vacuum_scale_factor = 0.02
);
CREATE UNIQUE INDEX ledger_account_user ON ledger_account (holder_id) WHERE kind = 'user';
CREATE SEQUENCE ledger_account_id AS bigint START 10000 OWNED BY ledger_account.id;

-- House accounts have the ids below 10000: 1024 shards each. A posting uses the shard of its
-- connection's process id, so two of them wait for one row only when their ids agree modulo 1024.
INSERT INTO ledger_account (id, kind, purpose)
SELECT house.base + shard, house.kind::ledger_account_kind, house.purpose::ledger_purpose
FROM (VALUES (0, 'issuance', 'welcome'), (1024, 'issuance', 'mining_reward'), (2048, 'issuance', 'adjustment'), (3072, 'revenue', 'revenue'))
  AS house (base, kind, purpose), generate_series(0, 1023) AS shard;

CREATE TABLE ledger_transfer (
  -- Never looked up by itself, so it has no index: that would cost every posting, and would tempt the
  -- planner to walk the whole ledger backwards for one account's history.
  id bigint GENERATED ALWAYS AS IDENTITY,
  debit_account_id bigint NOT NULL,
  credit_account_id bigint NOT NULL,
  amount bigint NOT NULL,
  created_at timestamptz NOT NULL,
  kind transfer_kind NOT NULL,
  -- Byte order: the key is only ever compared for equality.
  idempotency_key text COLLATE "C" PRIMARY KEY,
  reference text NOT NULL
);
-- Histories are read for user and hold accounts only; leaving the house's side out keeps a posting at one index entry.
CREATE INDEX ledger_transfer_debits ON ledger_transfer (debit_account_id, id) WHERE debit_account_id >= 10000;
CREATE INDEX ledger_transfer_credits ON ledger_transfer (credit_account_id, id) WHERE credit_account_id >= 10000;

-- Returns the user account of a holder, opening it with balance 0 when there is none.
-- Functions that run as the owner name every table with its schema and fix their search path: nothing that a caller
-- sets or creates can stand in between.
CREATE FUNCTION ledger_user_account(p_holder_id bigint) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = subscriptions, pg_temp AS $$
DECLARE
  v_id bigint;
BEGIN
  SELECT id INTO v_id FROM subscriptions.ledger_account WHERE holder_id = p_holder_id AND kind = 'user';
  IF v_id IS NULL THEN
    INSERT INTO subscriptions.ledger_account (id, kind, holder_id) VALUES (nextval('subscriptions.ledger_account_id'), 'user', p_holder_id)
    ON CONFLICT (holder_id) WHERE kind = 'user' DO NOTHING RETURNING id INTO v_id;
  END IF;
  IF v_id IS NULL THEN
    -- Opened by another transaction since the first look; this statement sees its commit.
    SELECT id INTO v_id FROM subscriptions.ledger_account WHERE holder_id = p_holder_id AND kind = 'user';
  END IF;
  RETURN v_id;
END $$;

-- The one way to move Cherry, in one round trip: between a holder's user account (opened if need be)
-- and p_counter, by default the house account that the kind implies. A positive amount is given to
-- the holder, a negative one taken.
-- Replay: the same key with the same content answers the transfer that exists, with posted = false;
-- other content under a used key raises SV001.
-- Locks: the key first, then the two accounts in descending id, so a user's account before the
-- house's. Transactions that post for one user, the welcome first, therefore never deadlock.
-- Refusals: SV002 unknown ledger account, SV003 an amount or balance that would not survive a JSON
-- number (2^53 - 1), SV004 malformed; an overdraft violates ledger_balance_not_negative.
-- Runs as the schema's owner: the services' role has no right to write the two tables itself.
CREATE FUNCTION ledger_post(
  p_key text, p_kind subscriptions.transfer_kind, p_holder_id bigint, p_amount bigint, p_reference text, p_at timestamptz,
  p_counter bigint DEFAULT NULL, OUT transfer_id bigint, OUT posted boolean
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = subscriptions, pg_temp AS $$
DECLARE
  v_user bigint;
  v_counter bigint := p_counter;
  v_user_balance bigint;
  v_counter_balance bigint;
BEGIN
  IF length(p_key) NOT BETWEEN 1 AND 200 OR length(p_reference) > 200 THEN
    RAISE EXCEPTION 'malformed transfer' USING ERRCODE = 'SV004';
  END IF;
  IF p_amount = 0 OR p_amount NOT BETWEEN -9007199254740991 AND 9007199254740991 THEN
    RAISE EXCEPTION 'amount out of range' USING ERRCODE = 'SV003';
  END IF;
  SELECT id INTO v_user FROM subscriptions.ledger_account WHERE holder_id = p_holder_id AND kind = 'user';
  IF v_user IS NULL THEN
    v_user := subscriptions.ledger_user_account(p_holder_id);
  END IF;
  IF v_counter IS NULL THEN
    v_counter := ((pg_backend_pid() * 389) & 1023)
      + CASE p_kind WHEN 'welcome' THEN 0 WHEN 'mining_reward' THEN 1024 WHEN 'adjustment' THEN 2048 ELSE 3072 END;
  ELSIF v_counter = v_user THEN
    RAISE EXCEPTION 'malformed transfer' USING ERRCODE = 'SV004';
  END IF;

  INSERT INTO subscriptions.ledger_transfer (idempotency_key, kind, debit_account_id, credit_account_id, amount, reference, created_at)
  VALUES (p_key, p_kind, CASE WHEN p_amount > 0 THEN v_counter ELSE v_user END, CASE WHEN p_amount > 0 THEN v_user ELSE v_counter END,
    abs(p_amount), p_reference, p_at)
  ON CONFLICT (idempotency_key) DO NOTHING RETURNING id INTO transfer_id;
  posted := transfer_id IS NOT NULL;
  IF posted THEN
    IF v_user > v_counter THEN
      UPDATE subscriptions.ledger_account SET balance = balance + p_amount WHERE id = v_user RETURNING balance INTO v_user_balance;
      UPDATE subscriptions.ledger_account SET balance = balance - p_amount WHERE id = v_counter RETURNING balance INTO v_counter_balance;
    ELSE
      UPDATE subscriptions.ledger_account SET balance = balance - p_amount WHERE id = v_counter RETURNING balance INTO v_counter_balance;
      UPDATE subscriptions.ledger_account SET balance = balance + p_amount WHERE id = v_user RETURNING balance INTO v_user_balance;
    END IF;
    IF v_counter_balance IS NULL THEN
      RAISE EXCEPTION 'ledger account % does not exist', v_counter USING ERRCODE = 'SV002';
    END IF;
    IF abs(v_user_balance) > 9007199254740991 OR abs(v_counter_balance) > 9007199254740991 THEN
      RAISE EXCEPTION 'balance out of range' USING ERRCODE = 'SV003';
    END IF;
    RETURN;
  END IF;
  -- House shards depend on the connection, so a replay may name another shard of the same purpose.
  SELECT t.id INTO transfer_id FROM subscriptions.ledger_transfer AS t,
    LATERAL (SELECT CASE WHEN p_amount > 0 THEN t.credit_account_id ELSE t.debit_account_id END AS own,
      CASE WHEN p_amount > 0 THEN t.debit_account_id ELSE t.credit_account_id END AS other) AS side
  WHERE t.idempotency_key = p_key AND t.kind = p_kind AND t.amount = abs(p_amount) AND t.reference = p_reference AND side.own = v_user
    AND CASE WHEN p_counter IS NULL THEN side.other / 1024 = v_counter / 1024 ELSE side.other = v_counter END;
  IF transfer_id IS NULL THEN
    RAISE EXCEPTION 'idempotency key was used for another transfer' USING ERRCODE = 'SV001';
  END IF;
END $$;

-- What must always hold, in one snapshot: total = 0, unequal = 0 (balances that differ from the sum
-- of their transfers), negative = 0 (below zero outside issuance). Reads everything, about two
-- seconds for a million accounts and a million transfers.
CREATE FUNCTION ledger_check(OUT total numeric, OUT unequal bigint, OUT negative bigint, OUT accounts bigint)
LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(a.balance), 0), count(*) FILTER (WHERE coalesce(a.balance, 0) <> coalesce(m.moved, 0)),
    count(*) FILTER (WHERE a.balance < 0 AND a.kind <> 'issuance'), count(a.id)
  FROM ledger_account a
  FULL JOIN (
    SELECT account_id, sum(amount) AS moved FROM (
      SELECT debit_account_id AS account_id, -amount AS amount FROM ledger_transfer
      UNION ALL SELECT credit_account_id, amount FROM ledger_transfer
    ) AS sides GROUP BY account_id
  ) AS m ON m.account_id = a.id
$$;

-- Running services move Cherry through the functions above or not at all.
REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON ledger_account, ledger_transfer FROM subscriptions_app;
