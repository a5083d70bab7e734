-- Holds: Cherry set aside for a paid read until it is captured, released or expired. What was captured is a paid_item,
-- which is never charged again.

-- A holder's Cherry that is set aside; one account each, opened by the first hold.
CREATE UNIQUE INDEX ledger_account_hold ON ledger_account (holder_id) WHERE kind = 'hold';

CREATE FUNCTION ledger_hold_account(p_holder_id bigint) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = subscriptions, pg_temp AS $$
DECLARE
  v_id bigint;
BEGIN
  SELECT id INTO v_id FROM subscriptions.ledger_account WHERE holder_id = p_holder_id AND kind = 'hold';
  IF v_id IS NULL THEN
    INSERT INTO subscriptions.ledger_account (id, kind, holder_id) VALUES (nextval('subscriptions.ledger_account_id'), 'hold', p_holder_id)
    ON CONFLICT (holder_id) WHERE kind = 'hold' DO NOTHING RETURNING id INTO v_id;
  END IF;
  IF v_id IS NULL THEN
    -- Opened by another transaction since the first look; this statement sees its commit.
    SELECT id INTO v_id FROM subscriptions.ledger_account WHERE holder_id = p_holder_id AND kind = 'hold';
  END IF;
  RETURN v_id;
END $$;

-- Ends a hold: gives p_to_seller of it to the seller, p_to_revenue to the house, and p_back to its holder, each as a
-- transfer of its own, all three or none. A part of 0 makes no transfer.
-- Once: the keys name the hold and the part; a second end raises a unique violation. Callers look at the state of the hold.
-- Locks: the accounts that move, in descending id as ledger_post does, so the two never deadlock. The seller's account
-- must be open.
-- Refusals: SV002 no such account, SV003 a balance beyond 2^53 - 1, SV004 malformed; more than the holder has set aside
-- violates ledger_balance_not_negative.
CREATE FUNCTION ledger_end_hold(
  p_hold_id text, p_holder_id bigint, p_seller_id bigint, p_to_seller bigint, p_to_revenue bigint, p_back bigint, p_at timestamptz
) RETURNS TABLE (part text, transfer_id bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = subscriptions, pg_temp AS $$
DECLARE
  v_hold bigint;
  v_holder bigint;
  v_seller bigint;
  v_part record;
  v_balance bigint;
BEGIN
  IF length(p_hold_id) NOT BETWEEN 1 AND 100 OR least(p_to_seller, p_to_revenue, p_back) < 0 THEN
    RAISE EXCEPTION 'malformed end of a hold' USING ERRCODE = 'SV004';
  END IF;
  SELECT id INTO v_hold FROM subscriptions.ledger_account WHERE holder_id = p_holder_id AND kind = 'hold';
  SELECT id INTO v_holder FROM subscriptions.ledger_account WHERE holder_id = p_holder_id AND kind = 'user';
  SELECT id INTO v_seller FROM subscriptions.ledger_account WHERE holder_id = p_seller_id AND kind = 'user';
  IF v_hold IS NULL OR v_holder IS NULL OR v_seller IS NULL THEN
    RAISE EXCEPTION 'holder or seller has no account' USING ERRCODE = 'SV002';
  END IF;
  PERFORM 1 FROM subscriptions.ledger_account WHERE id = ANY (ARRAY[v_hold, v_holder, v_seller]) ORDER BY id DESC FOR UPDATE;
  FOR v_part IN
    SELECT * FROM (VALUES ('back', p_back, v_holder), ('seller', p_to_seller, v_seller),
      ('revenue', p_to_revenue, 3072 + ((pg_backend_pid() * 389) & 1023))) AS share (name, amount, account_id)
    WHERE amount > 0
  LOOP
    INSERT INTO subscriptions.ledger_transfer (idempotency_key, kind, debit_account_id, credit_account_id, amount, reference, created_at)
    VALUES (v_part.name || ':' || p_hold_id, 'paid_read', v_hold, v_part.account_id, v_part.amount, v_part.name || ':' || p_hold_id, p_at)
    RETURNING id INTO transfer_id;
    UPDATE subscriptions.ledger_account SET balance = balance - v_part.amount WHERE id = v_hold;
    UPDATE subscriptions.ledger_account SET balance = balance + v_part.amount WHERE id = v_part.account_id RETURNING balance INTO v_balance;
    IF v_balance > 9007199254740991 THEN
      RAISE EXCEPTION 'balance out of range' USING ERRCODE = 'SV003';
    END IF;
    part := v_part.name;
    RETURN NEXT;
  END LOOP;
END $$;

-- What an account has ever spent. Its row is the lock of the account's paid reads, taken before any ledger account.
CREATE TABLE spending (
  account_id bigint PRIMARY KEY,
  spent bigint NOT NULL DEFAULT 0 CHECK (spent BETWEEN 0 AND 9007199254740991)
) WITH (fillfactor = 80);
INSERT INTO spending (account_id, spent) SELECT account_id, sum(charge) FROM purchase GROUP BY account_id HAVING sum(charge) > 0;

-- Cherry of paid reads by the UTC day of their hold: what daily_cherry_budget is compared with.
CREATE TABLE spending_day (
  account_id bigint NOT NULL,
  day date NOT NULL,
  held bigint NOT NULL DEFAULT 0 CHECK (held >= 0),
  captured bigint NOT NULL DEFAULT 0 CHECK (captured >= 0),
  PRIMARY KEY (account_id, day)
) WITH (fillfactor = 80);

CREATE TABLE hold (
  id text PRIMARY KEY,
  account_id bigint NOT NULL,
  seller_id bigint NOT NULL,
  -- The request that it pays for: while it is held, the same key is the same hold.
  key text NOT NULL,
  reference text NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  captured bigint NOT NULL DEFAULT 0 CHECK (captured BETWEEN 0 AND amount),
  day date NOT NULL,
  state text NOT NULL DEFAULT 'held' CHECK (state IN ('held', 'captured', 'released', 'expired')),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL CHECK (expires_at > created_at),
  ended_at timestamptz,
  CHECK ((state = 'held') = (ended_at IS NULL)),
  CHECK (state = 'captured' OR captured = 0)
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX hold_open ON hold (account_id, key) WHERE state = 'held';
CREATE INDEX hold_due ON hold (expires_at) WHERE state = 'held';

CREATE TABLE hold_item (
  hold_id text NOT NULL REFERENCES hold,
  resource text COLLATE "C" NOT NULL,
  price bigint NOT NULL CHECK (price > 0),
  PRIMARY KEY (hold_id, resource)
);

-- What an account has paid for, for ever: the primary key is what makes "once" true.
CREATE TABLE paid_item (
  account_id bigint NOT NULL,
  resource text COLLATE "C" NOT NULL,
  hold_id text NOT NULL REFERENCES hold,
  price bigint NOT NULL CHECK (price > 0),
  paid_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, resource)
);

REVOKE DELETE, TRUNCATE ON spending, spending_day, hold FROM subscriptions_app;
REVOKE UPDATE, DELETE, TRUNCATE ON hold_item, paid_item FROM subscriptions_app;
