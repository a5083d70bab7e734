-- Proof of balance: the entries of every user account form a chain of hashes, and once a day a Merkle root covers all
-- accounts. `docs/method/balance-proof.md` states every byte.

-- The chain of an account begins with random bytes that only its holder may read, so that a hash tells nobody else what
-- it stands for. The default gives each row its own; house and hold accounts carry it unused.
ALTER TABLE ledger_account
  ADD COLUMN entries bigint NOT NULL DEFAULT 0,
  ADD COLUMN genesis bytea NOT NULL DEFAULT uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()),
  -- Hash of the newest entry; null before the first.
  ADD COLUMN head bytea;

-- The entry of the side that is a user account: its number in the chain of the account, and its hash.
ALTER TABLE ledger_transfer
  ADD COLUMN debit_seq bigint,
  ADD COLUMN debit_hash bytea,
  ADD COLUMN credit_seq bigint,
  ADD COLUMN credit_hash bytea;

-- SHA-256 of the hash before and the lines of the entry. The reference, the only free text, comes last.
CREATE FUNCTION ledger_entry_hash(
  p_previous bytea, p_seq bigint, p_transfer_id bigint, p_amount bigint, p_balance bigint, p_kind transfer_kind, p_at timestamptz, p_reference text
) RETURNS bytea LANGUAGE sql STABLE AS $$
  SELECT sha256(p_previous || convert_to(
    p_seq || E'\n' || p_transfer_id || E'\n' || p_amount || E'\n' || p_balance || E'\n' || p_kind || E'\n'
      || to_char(p_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || E'\n' || p_reference, 'UTF8'))
$$;

-- As in 0001, with the chain. Locks: the accounts of both sides, the user's before the house's and the higher id first, then
-- the key. The id of the transfer is taken under these locks: ids of an account grow in the order of its chain.
CREATE OR REPLACE FUNCTION ledger_post(
  p_key text, p_kind subscriptions.transfer_kind, p_holder_id bigint, p_amount bigint, p_reference text, p_at timestamptz,
  p_counter bigint DEFAULT NULL, OUT transfer_id bigint, OUT posted boolean
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = subscriptions, pg_temp AS $$
DECLARE
  v_user bigint;
  v_balance bigint;
  v_entries bigint;
  v_head bytea;
  v_hash bytea;
  v_counter bigint := p_counter;
  v_counter_kind subscriptions.ledger_account_kind;
  v_counter_balance bigint;
  v_counter_entries bigint;
  v_counter_head bytea;
  v_counter_seq bigint;
  v_counter_hash bytea;
  v_id bigint;
BEGIN
  IF length(p_key) NOT BETWEEN 1 AND 200 OR length(p_reference) > 200 THEN
    RAISE EXCEPTION 'malformed transfer' USING ERRCODE = 'SV004';
  END IF;
  IF p_amount = 0 OR p_amount NOT BETWEEN -9007199254740991 AND 9007199254740991 THEN
    RAISE EXCEPTION 'amount out of range' USING ERRCODE = 'SV003';
  END IF;
  IF p_counter IS NOT NULL THEN
    v_user := subscriptions.ledger_user_account(p_holder_id);
    IF v_counter = v_user THEN
      RAISE EXCEPTION 'malformed transfer' USING ERRCODE = 'SV004';
    END IF;
    PERFORM 1 FROM subscriptions.ledger_account WHERE id IN (v_user, v_counter) ORDER BY id DESC FOR NO KEY UPDATE;
    SELECT kind, entries, coalesce(head, genesis), balance INTO v_counter_kind, v_counter_entries, v_counter_head, v_counter_balance
    FROM subscriptions.ledger_account WHERE id = v_counter;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'ledger account % does not exist', v_counter USING ERRCODE = 'SV002';
    END IF;
  ELSE
    v_counter := ((pg_backend_pid() * 389) & 1023)
      + CASE p_kind WHEN 'welcome' THEN 0 WHEN 'mining_reward' THEN 1024 WHEN 'adjustment' THEN 2048 ELSE 3072 END;
  END IF;
  SELECT id, balance, entries, coalesce(head, genesis) INTO v_user, v_balance, v_entries, v_head
  FROM subscriptions.ledger_account WHERE holder_id = p_holder_id AND kind = 'user' FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    v_user := subscriptions.ledger_user_account(p_holder_id);
    SELECT balance, entries, coalesce(head, genesis) INTO v_balance, v_entries, v_head
    FROM subscriptions.ledger_account WHERE id = v_user FOR NO KEY UPDATE;
  END IF;

  v_id := nextval('subscriptions.ledger_transfer_id_seq');
  v_balance := v_balance + p_amount;
  v_hash := subscriptions.ledger_entry_hash(v_head, v_entries + 1, v_id, p_amount, v_balance, p_kind, p_at, p_reference);
  IF v_counter_kind = 'user' THEN
    v_counter_seq := v_counter_entries + 1;
    v_counter_hash := subscriptions.ledger_entry_hash(
      v_counter_head, v_counter_seq, v_id, -p_amount, v_counter_balance - p_amount, p_kind, p_at, p_reference);
  END IF;
  IF p_amount > 0 THEN
    INSERT INTO subscriptions.ledger_transfer (id, idempotency_key, kind, debit_account_id, credit_account_id, amount, reference, created_at,
      credit_seq, credit_hash, debit_seq, debit_hash) OVERRIDING SYSTEM VALUE
    VALUES (v_id, p_key, p_kind, v_counter, v_user, p_amount, p_reference, p_at, v_entries + 1, v_hash, v_counter_seq, v_counter_hash)
    ON CONFLICT (idempotency_key) DO NOTHING RETURNING id INTO transfer_id;
  ELSE
    INSERT INTO subscriptions.ledger_transfer (id, idempotency_key, kind, debit_account_id, credit_account_id, amount, reference, created_at,
      debit_seq, debit_hash, credit_seq, credit_hash) OVERRIDING SYSTEM VALUE
    VALUES (v_id, p_key, p_kind, v_user, v_counter, -p_amount, p_reference, p_at, v_entries + 1, v_hash, v_counter_seq, v_counter_hash)
    ON CONFLICT (idempotency_key) DO NOTHING RETURNING id INTO transfer_id;
  END IF;
  posted := transfer_id IS NOT NULL;
  IF posted THEN
    UPDATE subscriptions.ledger_account SET balance = v_balance, entries = v_entries + 1, head = v_hash WHERE id = v_user;
    IF v_counter_hash IS NULL THEN
      UPDATE subscriptions.ledger_account SET balance = balance - p_amount WHERE id = v_counter RETURNING balance INTO v_counter_balance;
    ELSE
      v_counter_balance := v_counter_balance - p_amount;
      UPDATE subscriptions.ledger_account SET balance = v_counter_balance, entries = v_counter_seq, head = v_counter_hash WHERE id = v_counter;
    END IF;
    IF abs(v_balance) > 9007199254740991 OR abs(v_counter_balance) > 9007199254740991 THEN
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

-- As in 0004, with the chain of the account that receives a part.
CREATE OR REPLACE FUNCTION ledger_end_hold(
  p_hold_id text, p_holder_id bigint, p_seller_id bigint, p_to_seller bigint, p_to_revenue bigint, p_back bigint, p_at timestamptz
) RETURNS TABLE (part text, transfer_id bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = subscriptions, pg_temp AS $$
DECLARE
  v_hold bigint;
  v_holder bigint;
  v_seller bigint;
  v_part record;
  v_seq bigint;
  v_head bytea;
  v_hash bytea;
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
    part := v_part.name;
    transfer_id := nextval('subscriptions.ledger_transfer_id_seq');
    UPDATE subscriptions.ledger_account SET balance = balance - v_part.amount WHERE id = v_hold;
    IF part = 'revenue' THEN
      v_seq := NULL;
      v_hash := NULL;
      UPDATE subscriptions.ledger_account SET balance = balance + v_part.amount WHERE id = v_part.account_id RETURNING balance INTO v_balance;
    ELSE
      SELECT entries + 1, balance + v_part.amount, coalesce(head, genesis) INTO v_seq, v_balance, v_head
      FROM subscriptions.ledger_account WHERE id = v_part.account_id;
      v_hash := subscriptions.ledger_entry_hash(
        v_head, v_seq, transfer_id, v_part.amount, v_balance, 'paid_read', p_at, part || ':' || p_hold_id);
      UPDATE subscriptions.ledger_account SET balance = v_balance, entries = v_seq, head = v_hash WHERE id = v_part.account_id;
    END IF;
    INSERT INTO subscriptions.ledger_transfer (id, idempotency_key, kind, debit_account_id, credit_account_id, amount, reference, created_at,
      credit_seq, credit_hash) OVERRIDING SYSTEM VALUE
    VALUES (transfer_id, part || ':' || p_hold_id, 'paid_read', v_hold, v_part.account_id, v_part.amount, part || ':' || p_hold_id, p_at,
      v_seq, v_hash);
    IF v_balance > 9007199254740991 THEN
      RAISE EXCEPTION 'balance out of range' USING ERRCODE = 'SV003';
    END IF;
    RETURN NEXT;
  END LOOP;
END $$;

-- The entries that exist, in the order of their ids.
DO $$
DECLARE
  v_entry record;
  v_account bigint;
  v_seq bigint;
  v_balance bigint;
  v_hash bytea;
BEGIN
  FOR v_entry IN
    SELECT a.id AS account_id, a.genesis, side.* FROM ledger_account AS a JOIN (
      SELECT credit_account_id AS side_of, true AS is_credit, id, amount, kind, created_at, reference, idempotency_key FROM ledger_transfer
      UNION ALL
      SELECT debit_account_id, false, id, -amount, kind, created_at, reference, idempotency_key FROM ledger_transfer
    ) AS side ON side.side_of = a.id
    WHERE a.kind = 'user' ORDER BY a.id, side.id
  LOOP
    IF v_account IS DISTINCT FROM v_entry.account_id THEN
      UPDATE ledger_account SET entries = v_seq, head = v_hash WHERE id = v_account;
      v_account := v_entry.account_id;
      v_seq := 0;
      v_balance := 0;
      v_hash := v_entry.genesis;
    END IF;
    v_seq := v_seq + 1;
    v_balance := v_balance + v_entry.amount;
    v_hash := ledger_entry_hash(v_hash, v_seq, v_entry.id, v_entry.amount, v_balance, v_entry.kind, v_entry.created_at, v_entry.reference);
    IF v_entry.is_credit THEN
      UPDATE ledger_transfer SET credit_seq = v_seq, credit_hash = v_hash WHERE idempotency_key = v_entry.idempotency_key;
    ELSE
      UPDATE ledger_transfer SET debit_seq = v_seq, debit_hash = v_hash WHERE idempotency_key = v_entry.idempotency_key;
    END IF;
  END LOOP;
  UPDATE ledger_account SET entries = v_seq, head = v_hash WHERE id = v_account;
END $$;

-- The Merkle root of a UTC day over all user accounts, kept for ever; jws is null until identity has signed it.
CREATE TABLE balance_root (
  day date PRIMARY KEY,
  computed_at timestamptz NOT NULL,
  accounts bigint NOT NULL CHECK (accounts > 0),
  root bytea NOT NULL CHECK (length(root) = 32),
  jws text
);

-- What a root says of each account; kept for the newest days.
CREATE TABLE balance_leaf (
  day date NOT NULL,
  account_id bigint NOT NULL,
  position bigint NOT NULL,
  entries bigint NOT NULL,
  balance bigint NOT NULL,
  head bytea NOT NULL,
  PRIMARY KEY (day, account_id)
);

-- The hashes of a tree, level by level from the leaves, 32 bytes each. A proof reads one slice of each level, so they are
-- stored in pieces and not compressed.
CREATE TABLE balance_level (
  day date NOT NULL,
  level int NOT NULL,
  hashes bytea NOT NULL,
  PRIMARY KEY (day, level)
);
ALTER TABLE balance_level ALTER COLUMN hashes SET STORAGE EXTERNAL;

-- Stores leaves, levels and root of a day from one snapshot of the ledger; answers nothing if no account is open, or if the
-- day has a root. Of two calls at once the second one waits. The tree is
-- that of RFC 9162, 2.1: a leaf is hashed with a first byte 0, a node with 1, and a last node without a neighbour moves up.
CREATE FUNCTION balance_snapshot(p_day date, p_at timestamptz) RETURNS TABLE (accounts bigint, root bytea)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = subscriptions, pg_temp AS $$
DECLARE
  v_hashes bytea;
  v_next bytea;
  v_nodes bigint;
  v_level int := 0;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('balance_root', 0));
  IF EXISTS (SELECT 1 FROM subscriptions.balance_root AS known WHERE known.day >= p_day) THEN
    RETURN;
  END IF;
  INSERT INTO subscriptions.balance_leaf (day, account_id, position, entries, balance, head)
  SELECT p_day, holder_id, row_number() OVER (ORDER BY holder_id) - 1, entries, balance, coalesce(head, genesis)
  FROM subscriptions.ledger_account WHERE kind = 'user';
  SELECT count(*), string_agg(sha256('\x00'::bytea || convert_to(
      account_id || E'\n' || entries || E'\n' || balance || E'\n' || encode(head, 'hex'), 'UTF8')), ''::bytea ORDER BY position)
  INTO accounts, v_hashes FROM subscriptions.balance_leaf WHERE day = p_day;
  IF accounts = 0 THEN
    RETURN;
  END IF;
  LOOP
    INSERT INTO subscriptions.balance_level (day, level, hashes) VALUES (p_day, v_level, v_hashes);
    v_nodes := length(v_hashes) / 32;
    EXIT WHEN v_nodes = 1;
    SELECT string_agg(sha256('\x01'::bytea || substr(v_hashes, 64 * pair + 1, 64)), ''::bytea ORDER BY pair)
    INTO v_next FROM generate_series(0, (v_nodes / 2 - 1)::int) AS pair;
    IF v_nodes % 2 = 1 THEN
      v_next := v_next || substr(v_hashes, (32 * v_nodes - 31)::int, 32);
    END IF;
    v_hashes := v_next;
    v_level := v_level + 1;
  END LOOP;
  root := v_hashes;
  INSERT INTO subscriptions.balance_root (day, computed_at, accounts, root) VALUES (p_day, p_at, accounts, root);
  RETURN NEXT;
END $$;

-- A running service may make a tree, sign its root once, and forget old leaves; it can change neither.
REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON balance_root, balance_leaf, balance_level FROM subscriptions_app;
GRANT UPDATE (jws) ON balance_root TO subscriptions_app;
GRANT DELETE ON balance_leaf, balance_level TO subscriptions_app;
