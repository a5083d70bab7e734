import type pg from 'pg'

/** The one allowed call of every seeded mandate. */
export const VENUE = '0x4444444444444444444444444444444444444444'
export const BUY = '0xfc18d034'
export const ENTRIES_EACH = 10
const FACTORY = '0x5555555555555555555555555555555555555555'
const USDC = '0x6666666666666666666666666666666666666666'

/** Where the seeded mandates live. */
export const seedSettings = {
  HUB_CHAIN_ID: '31337',
  HUB_MANDATE_FACTORY_ADDRESS: FACTORY,
  HUB_USDC_ADDRESS: USDC,
  HUB_TEST_VENUE_TARGETS: VENUE,
}

export interface Parties {
  readonly agents: readonly { readonly id: number; readonly wallet: string }[]
  readonly owners: readonly { readonly id: number; readonly wallet: string }[]
}

/** The mandate of a place; as long as the service's own ids. */
export const publicIdOf = (n: number): string => `mdt_${n.toString(16).padStart(32, '0')}`

/** Working mandates with vault, worth, refusals and ten entries of the record each, owners and agents in turn. */
export async function seedMandates(admin: pg.Client, parties: Parties, from: number, upTo: number): Promise<void> {
  const mandates = '(SELECT * FROM mandate WHERE id BETWEEN $1 AND $2) AS m'
  const range = [from, upTo - 1]
  const publicId = "'mdt_' || lpad(to_hex(n), 32, '0')"
  // Without triggers: nobody has read what is made up here.
  await admin.query('SET search_path TO mandates; SET session_replication_role TO replica')
  await admin.query(
    `INSERT INTO mandate (id, public_id, id_hash, owner_id, owner_wallet, state, state_cause, state_since, name, budget, per_tx_cap,
       daily_cap, stop_line, approval_above, markets, ends_at, fee_bps, hl_leg, agent_id, agent_wallet, accepted_at, created_at,
       changed_at, record_seq, record_hash, record_at, record_proved_seq)
     OVERRIDING SYSTEM VALUE
     SELECT n, ${publicId}, '0x' || encode(sha256(n::text::bytea), 'hex'), ($3::bigint[])[1 + n % cardinality($3)],
       ($4::text[])[1 + n % cardinality($4)], 'working', 'vault_funded', now() - interval '1 day', 'Weekend basis', 500000000, 50000000,
       150000000, 400000000, 40000000, '{testvenue}', date_trunc('second', now()) + interval '30 days', 1000, false,
       ($5::bigint[])[1 + n % cardinality($5)], ($6::text[])[1 + n % cardinality($6)], now() - interval '1 day', now() - interval '1 day',
       now() - interval '1 day', ${ENTRIES_EACH}, encode(sha256((n || ':' || ${ENTRIES_EACH})::bytea), 'hex'),
       now() - interval '1 day' + ${ENTRIES_EACH} * interval '1 minute', ${ENTRIES_EACH - 1}
     FROM generate_series($1::int, $2::int) AS n`,
    [
      ...range,
      parties.owners.map(({ id }) => id),
      parties.owners.map(({ wallet }) => wallet.toLowerCase()),
      parties.agents.map(({ id }) => id),
      parties.agents.map(({ wallet }) => wallet.toLowerCase()),
    ],
  )
  const calls = `jsonb_build_array(jsonb_build_object('target', '${VENUE}', 'selector', '${BUY}'))`
  const markets = `jsonb_build_array(jsonb_build_object('id', 'testvenue', 'title', 'Test venue', 'calls', ${calls}))`
  await admin.query(
    `INSERT INTO signed_terms (mandate_id, n, terms_hash, chain_id, factory, signature, terms, clauses, signed_at)
     SELECT id, 1, id_hash, 31337, '${FACTORY}', '0x' || repeat('ab', 65), jsonb_build_object('mandateId', public_id, 'owner', owner_wallet,
         'agent', agent_wallet, 'feeRecipient', agent_wallet, 'usdc', '${USDC}', 'legGateway', '0x0000000000000000000000000000000000000000',
         'budget', budget::text, 'perTxCap', per_tx_cap::text, 'dailyCap', daily_cap::text, 'approvalAbove', approval_above::text,
         'stopLine', stop_line::text, 'legBudget', '0', 'endsAt', extract(epoch FROM ends_at)::bigint::text, 'feeBps', fee_bps::text,
         'markets', ${markets}),
       (SELECT jsonb_agg(jsonb_build_object('number', n, 'text', repeat('What the owner agrees to. ', 8))) FROM generate_series(1, 8) AS n),
       created_at FROM ${mandates}`,
    range,
  )
  await admin.query(
    `INSERT INTO vault (mandate_id, chain_id, address, factory, version, creation_tx, agent, attached_at, books, books_block)
     SELECT id, 31337, '0x' || left(encode(sha256(('vault' || id)::bytea), 'hex'), 40), '${FACTORY}', 1, id_hash, agent_wallet, created_at,
       '{"accounted": "500000000", "principal": "500000000"}', 1 FROM ${mandates}`,
    range,
  )
  await admin.query(
    `INSERT INTO worth (mandate_id, at, worth, vault_worth, positions_worth, source, block_number)
     SELECT id, now() - n * interval '15 minutes', 500000000, 500000000, 0, 'keeper', 100 - n FROM ${mandates}, generate_series(0, 3) AS n`,
    range,
  )
  await admin.query(
    `INSERT INTO refusal (mandate_id, kind, code, source, call_hash, at)
     SELECT id, 'OverPerTxCap', 'over_per_tx_cap', 'server', encode(sha256(id::text::bytea), 'hex'), now() - n * interval '1 hour'
     FROM ${mandates}, generate_series(1, 3) AS n`,
    range,
  )
  // Of two entries one is of a transaction: a fact of the chain, and the agent's word on it.
  const body = `jsonb_build_object('name', 'Executed', 'block_number', e, 'block_hash', encode(sha256(e::text::bytea), 'hex'),
       'args', jsonb_build_object('target', '${VENUE}', 'selector', '${BUY}', 'approved', '1000000', 'spent', '1000000', 'usedToday', '9000000'))`
  const hash = (at: string) => `encode(sha256((id || ':' || ${at})::bytea), 'hex')`
  await admin.query(
    `INSERT INTO record_entry (mandate_id, seq, at, kind, source, tx_hash, entry, hash)
     SELECT id, e, at, kind, source, tx_hash, jsonb_build_object('version', 1, 'mandate', public_id, 'seq', e, 'at', at, 'kind', kind,
         'source', source, 'tx_hash', tx_hash, 'body', ${body}, 'previous', ${hash('e - 1')}), ${hash('e')}
     FROM (SELECT id, public_id, e, created_at + e * interval '1 minute' AS at,
         CASE WHEN e % 2 = 1 THEN 'chain_fact' ELSE 'event' END AS kind, CASE WHEN e % 2 = 1 THEN 'chain' ELSE 'agent' END AS source,
         '0x' || encode(sha256((id || ':' || (e + 1) / 2)::bytea), 'hex') AS tx_hash
       FROM ${mandates}, generate_series(1, ${ENTRIES_EACH}) AS e) AS entries`,
    range,
  )
  await admin.query(
    `SELECT setval(pg_get_serial_sequence('mandate', 'id'), greatest($1::bigint, (SELECT max(id) FROM mandate)))`,
    [upTo],
  )
  await admin.query('VACUUM (ANALYZE) mandate, signed_terms, vault, worth, refusal, record_entry')
  await admin.query('SET session_replication_role TO DEFAULT')
  // What was seeded is not written out while something is measured.
  await admin.query('CHECKPOINT')
}
