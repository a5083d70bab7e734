import { hasPrivateOwners, isFindable } from '#drafts/store/exposure.ts'
import { dayCounts } from '#facts/store/hall-days.ts'
import { hallHeads, signedMandates } from '#facts/store/hall-mandates.ts'
import { hallPoints } from '#facts/store/hall-points.ts'
import { openPool, sql, type Pool, type Tx } from '@svc/postgres'
import { disposableDatabase, opened, plansOf } from '@svc/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { activityOf } from '#agents/store/activity.ts'
import { alertsOf, dueAlerts } from '#alerts/store/alerts.ts'
import { listApprovals, mandatesWithLapsed, givenApprovals, waitingApprovals } from '#approvals/store/approvals.ts'
import { addressToVerify, lockAndCountCodes } from '#alerts/store/channel-codes.ts'
import type { Execution } from '#executions/rules/execution.ts'
import { executionsOfCall } from '#executions/store/executions.ts'
import { judgingOf } from '#approvals/store/judging.ts'
import { reportJudgingOf } from '#executions/store/report-judging.ts'
import { findLive } from '#overview/store/live.ts'
import { dueToEnd, listMandates, lockMandate, offersOf } from '#mandate/store/mandates.ts'
import { legsToMove } from '#vault/store/legs-to-move.ts'
import { weekAt } from '#statements/rules/iso-week.ts'
import { callsOfWeek } from '#statements/store/statements.ts'
import { readSteps } from '#record/store/record-steps.ts'

const now = new Date('2026-11-21T09:00:00.000Z')
const ago = new Date(now.getTime() - 120_000)
const PUBLIC_ID = 'mdt_77'
let pool: Pool

const database = opened(() => disposableDatabase('mandates'))
beforeAll(async () => {
  const owner = await openPool(database.superuserUrl, { size: 1 })
  await owner.query(sql.unsafe`SET search_path TO mandates`)
  // 5,000 mandates of 500 owners and 500 agents; the first has a record of 20,000 entries, the others of four.
  await owner.query(sql.unsafe`
    INSERT INTO mandate (public_id, id_hash, owner_id, owner_wallet, state, state_since, name, budget, per_tx_cap, daily_cap, stop_line,
      markets, ends_at, fee_bps, hl_leg, agent_id, agent_wallet, created_at, changed_at)
    SELECT 'mdt_' || n, n::text, n % 500, '0x', 'working', now(), 'm', 9, 1, 1, 0, '{testvenue}', ${now.toISOString()}::timestamptz
      + n * interval '1 minute', 0, false, n % 500, '0x', now(), now() FROM generate_series(1, 5000) AS n`)
  await owner.query(sql.unsafe`
    INSERT INTO record_entry (mandate_id, seq, at, kind, source, tx_hash, entry, hash)
    SELECT m, s, ${now.toISOString()}::timestamptz - s * interval '1 hour', CASE WHEN s % 4 = 0 THEN 'chain_fact' ELSE 'event' END, 'agent',
      CASE WHEN s % 2 = 0 THEN m || ':' || s / 4 END, jsonb_build_object('body', jsonb_build_object('approval_id', 'apr_' || s)), 'hash'
    FROM generate_series(1, 5000) AS m, generate_series(1, CASE WHEN m = 1 THEN 20000 ELSE 4 END) AS s`)
  await owner.query(sql.unsafe`
    INSERT INTO vault (mandate_id, chain_id, address, factory, version, creation_tx, agent, attached_at)
    SELECT n, 1, n::text, '0x', 1, '0x', '0x', now() FROM generate_series(1, 5000) AS n`)
  await owner.query(sql.unsafe`
    INSERT INTO signed_terms SELECT n, 1, '0x', 1, '0x', '0x', '{}', '[]', now() FROM generate_series(1, 5000) AS n`)
  await owner.query(sql.unsafe`
    INSERT INTO worth (mandate_id, at, worth, vault_worth, source, block_number)
    SELECT m, ${now.toISOString()}::timestamptz - s * interval '1 hour', 1, 1, 'keeper', 1
    FROM generate_series(1, 5000) AS m, generate_series(1, 4) AS s`)
  await owner.query(sql.unsafe`
    INSERT INTO refusal (mandate_id, kind, source, at)
    SELECT m, 'OverPerTxCap', 'server', ${now.toISOString()}::timestamptz - s * interval '1 day'
    FROM generate_series(1, 5000) AS m, generate_series(1, 4) AS s`)
  await owner.query(sql.unsafe`
    INSERT INTO reported_violation (mandate_id, reason, tx_hash, at)
    SELECT m, 'over_per_tx_cap', 'unseen' || s, ${now.toISOString()}::timestamptz - s * interval '1 day'
    FROM generate_series(1, 5000) AS m, generate_series(1, 4) AS s`)
  await owner.query(sql.unsafe`
    INSERT INTO approval (id, mandate_id, call_hash, target, data, amount, status, requested_at, expires_at, decided_at, used_tx, used_ordinal)
    SELECT 'apr_' || m || '_' || s, m, s::text, '0x', '0x', s, CASE s WHEN 1 THEN 'pending' WHEN 4 THEN 'used' ELSE 'expired' END, now(),
      ${now.toISOString()}::timestamptz + (2 - s) * interval '1 hour' - interval '1 minute',
      CASE WHEN s = 4 THEN now() END, CASE WHEN s = 4 THEN m || ':4' END, CASE WHEN s = 4 THEN 0 END
    FROM generate_series(1, 5000) AS m, generate_series(1, 4) AS s`)
  await owner.query(sql.unsafe`
    INSERT INTO execution (chain_id, tx_hash, log_ordinal, mandate_id, revision, canonical, verdict, target, selector, approved, spent,
      received, day, block_number, block_time, first_block)
    SELECT 1, m || ':' || s, 0, m, 1, true, 'within', '0x', '0x', 1, 1, 0, s, 1, now(), 1
    FROM generate_series(1, 5000) AS m, generate_series(1, 4) AS s`)
  await owner.query(sql.unsafe`
    INSERT INTO chain_fact (chain_id, tx_hash, log_ordinal, log_index, vault, name, args, block_number, block_hash, block_time, revision, canonical)
    SELECT 1, m || ':' || s, 0, 0, m::text, 'Executed', '{}', 1, '0x', now(), 1, true
    FROM generate_series(1, 5000) AS m, generate_series(1, 4) AS s`)
  await owner.query(sql.unsafe`
    INSERT INTO transfer (agent_id, chain_id, asset, amount, decimals, tx_hash, direction, state, reported_at)
    SELECT n % 500, 1, 'USDC', 1, 6, n::text, 'in', 'in_transit', ${now.toISOString()}::timestamptz - n * interval '1 second'
    FROM generate_series(1, 20000) AS n`)
  await owner.query(sql.unsafe`
    INSERT INTO cherry_move SELECT n % 500, n, 1, 'paid_read', 'r', ${now.toISOString()}::timestamptz - n * interval '1 second'
    FROM generate_series(1, 20000) AS n`)
  await owner.query(sql.unsafe`
    INSERT INTO deposit SELECT 1, '0x' || n, '0x', 0, 1, 'confirmed', n % 500, '0x', '0x', 1, 1, ${now.toISOString()}::timestamptz - n * interval '1 second'
    FROM generate_series(1, 20000) AS n`)
  await owner.query(sql.unsafe`
    INSERT INTO alert (owner_id, mandate_id, kind, severity, text, link, about, created_at, sent_at)
    SELECT n % 500, 1 + n % 5000, 'k', 'info', 't', 'l', n::text, now(), now() FROM generate_series(1, 20000) AS n`)
  await owner.query(sql.unsafe`
    INSERT INTO alert_delivery (alert_id, channel, sent_at)
    SELECT id, channel, now() FROM alert, unnest(ARRAY['telegram', 'email']) AS channel`)
  await owner.query(sql.unsafe`
    INSERT INTO alert_channel (owner_id, channel, address, set_at)
    SELECT n, channel, '1', now() FROM generate_series(1, 500) AS n, unnest(ARRAY['telegram', 'email']) AS channel`)
  await owner.query(sql.unsafe`
    INSERT INTO alert_times (owner_id, time_zone, set_at) SELECT n, 'UTC', now() FROM generate_series(1, 5000) AS n`)
  await owner.query(sql.unsafe`
    INSERT INTO channel_code (owner_id, channel, address, code_hash, client, created_at, expires_at)
    SELECT n, 'email', n || '@example.org', 'h', n::text, now(), now() FROM generate_series(1, 5000) AS n`)
  await owner.query(sql.unsafe`
    INSERT INTO leg_reservation (mandate_id, order_key, day, reserved, reserved_at)
    SELECT m, s::text, s, 1, now() FROM generate_series(1, 5000) AS m, generate_series(1, 4) AS s`)
  await owner.query(sql.unsafe`
    INSERT INTO leg (mandate_id, state, network, owner_address, epoch, changed_at)
    SELECT n, 'bound', 'testnet', '0x', 0, now() FROM generate_series(1, 5000) AS n`)
  await owner.query(sql.unsafe`
    INSERT INTO foreign_day SELECT m, '2026-11-01'::date + s, 1 FROM generate_series(1, 5000) AS m, generate_series(1, 4) AS s`)
  await owner.query(sql.unsafe`ANALYZE`)
  await owner.end()
  pool = await openPool(database.url, { size: 1 })
})
afterAll(async () => {
  await pool?.end()
})

const agent = { agentId: 77 }
const execution: Execution = {
  chainId: 1,
  txHash: '77:1',
  logOrdinal: 0,
  logIndex: 0,
  mandateId: 77,
  revision: 1,
  target: '0x',
  selector: '0x',
  approved: 1n,
  spent: 1n,
  received: 0n,
  day: 1n,
  blockNumber: 1,
  blockTime: now.toISOString(),
}
const since = (at: number) => ({
  now,
  since: at,
  upTo: at + 500,
  lateFrom: ago,
  lateMax: 500,
  groupMax: 1_000,
  groupedMax: 2_000,
})
test.each<[string, (db: Tx) => Promise<unknown>, RegExp]>([
  ['the live read', (db) => findLive(db, PUBLIC_ID, agent, { now, refusedSince: ago }), /mandate_public_id_key/],
  ['the record', (db) => readSteps(db, PUBLIC_ID, agent, since(2)), /record_entry_by_group[\s\S]*record_entry_pkey/],
  ['a long record', (db) => readSteps(db, 'mdt_1', { agentId: 1 }, since(19_990)), /record_entry_by_time/],
  ['judging a call', (db) => judgingOf(db, 77, 'hash', { now, worthSince: ago }), /vault_pkey[\s\S]*signed_terms_pkey/],
  [
    'judging a report',
    (db) => reportJudgingOf(db, 77, { at: now, amount: 1n, txHash: '77:1' }),
    /chain_fact_(pkey|of_vault)/,
  ],
  [
    'the calls of a week of a long record',
    (db) => callsOfWeek(db, { mandate_id: 1, chain_id: 1, address: '1' }, weekAt(now), 34),
    /record_entry_by_group/,
  ],
  ['locking', (db) => lockMandate(db, PUBLIC_ID, agent, now), /mandate_public_id_key/],
  ['a list', (db) => listMandates(db, { party: { ownerId: 7 }, before: null, limit: 50, now }), /mandate_by_owner/],
  ['offers', (db) => offersOf(db, 77, null, 50, now), /mandate_by_agent/],
  [
    'activity',
    (db) => activityOf(db, 77, null, 50),
    /mandate_by_agent[\s\S]*deposit_of_agent[\s\S]*cherry_move_of_account/,
  ],
  [
    'held calls',
    (db) => listApprovals(db, { mandateId: 77, status: null, id: null, before: null, limit: 50, now }),
    /approval_of_(mandate|call)/,
  ],
  ['approvals of an execution', (tx) => givenApprovals(tx, 77, execution), /approval_of_(mandate|call)/],
  ['executions of a call', (tx) => executionsOfCall(tx, 77, execution), /execution_standing[\s\S]*chain_fact_pkey/],
  ['waiting calls', (db) => waitingApprovals(db, 77, now, 100), /approval_(open_once|of_mandate)/],
  ['alerts', (db) => alertsOf(db, 7, { before: null, open: true, limit: 50 }), /alert_of_owner/],
  ['alerts to send', (db) => dueAlerts(db, 'email', ago, now, 100), /alert_delivery_due/],
  [
    'counting codes',
    (db) => lockAndCountCodes(db, { ownerId: 7, channel: 'email', address: 'a@example.org', client: 'c' }, ago),
    /channel_code_of_owner[\s\S]*channel_code_of_address[\s\S]*channel_code_of_client/,
  ],
  ['the address to verify', (db) => addressToVerify(db, 7, 'email', now), /channel_code_of_owner/],
  ['held calls to end', (db) => mandatesWithLapsed(db, now, 500), /approval_lapsing/],
  [
    'legs to move',
    (db) => legsToMove(db, null, 100, now),
    /mandate_with_leg[\s\S]*vault_pkey[\s\S]*approval_(open_once|of_mandate)/,
  ],
  [
    'mandates of the Hall',
    (db) => hallHeads(db, ['mdt_77', 'mdt_78']),
    /mandate_public_id_key[\s\S]*vault_pkey|vault_pkey[\s\S]*mandate_public_id_key/,
  ],
  [
    'days of the Hall',
    (db) => dayCounts(db, [{ id: 77, since: ago.toISOString() }]),
    /reported_violation_by_time[\s\S]*refusal_of_mandate/,
  ],
  [
    'points of the Hall',
    (db) => hallPoints(db, [{ id: 77, since: ago.toISOString() }], 100),
    /chain_fact_of_vault[\s\S]*worth_known/,
  ],
  ['all mandates', (db) => signedMandates(db, 'mdt_4900', 100), /mandate_public_id_key/],
  ['other owners of an agent', (db) => hasPrivateOwners(db, 77, 1), /mandate_by_agent/],
  ['a vault of an agent that can be found', (db) => isFindable(db, 77), /mandate_public/],
  ['mandates to end', (db) => dueToEnd(db, now, 500), /mandate_open_by_end/],
])('%s: every table is read by an index, at 5,000 mandates', async (_what, work, index) => {
  const plan = await plansOf(pool, work)
  expect(plan).toMatch(index)
  expect(plan).not.toMatch(/Seq Scan/)
})
