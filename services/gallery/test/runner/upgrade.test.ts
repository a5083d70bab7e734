import { copyFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrationOf } from '@svc/outbound/template'
import { migrate, openPool, sql } from '@svc/postgres'
import { disposableDatabase, opened } from '@svc/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { followOrderKind } from '#runner/store/follow-orders.ts'
import { startFollowRig } from '../follow-rig.ts'
import type { Follower } from '../follow-world.ts'

const rig = opened(() => startFollowRig())
const migrations = new URL('../../migrations/', import.meta.url).pathname

const run = () => rig.run('followSignals')
const words = async (follower: Follower) => (await rig.verdicts(follower)).map(({ kind, reason }) => [kind, reason])
const executedFor = ({ id }: Follower) => rig.world.executed.filter(({ mandateId }) => mandateId === id)
const requestsOf = ({ id }: Follower) => rig.world.requests.filter(({ key }) => key.includes(id))

/** How the last release left an order. */
interface Former {
  readonly sends: number
  /** A request may be on its way until then. */
  readonly inFlightUntil?: Date
  readonly filled?: boolean
  /** A request has reached the API. */
  readonly isPlaced?: boolean
}

/** Stores an order on a new signal as the last release did, which knows none of the shared columns. */
async function formerOrder({ sends, inFlightUntil, filled = false, isPlaced = false }: Former): Promise<Follower> {
  const listing = await rig.newListing({ price: 2 })
  const follower = await rig.newFollow(listing)
  const signal = await rig.publish(listing)
  const at = rig.clock.now()
  const notAfter = new Date(at.getTime() + 120_000).toISOString()
  const key = `house-${follower.id}-${signal.id}-1`
  const order = { market: 'hl:BTC', side: 'buy', size: '0.00083', reduce_only: false, not_after: notAfter }
  const body = JSON.stringify(order)
  const [outcome, size, price, endedAt] = filled ? ['filled', '0.00083', '60060', at.toISOString()] : []
  await rig.pool.query(sql.unsafe`
    INSERT INTO follow_order (follow_id, seq, n, key, body, not_after, planned_at, sends, in_flight_until, outcome, size, price, ended_at)
    VALUES ((SELECT id FROM follow WHERE mandate_id = ${follower.id}), 1, 1, ${key}, ${body}, ${notAfter}, ${at.toISOString()},
      ${sends}, ${inFlightUntil?.toISOString() ?? null}, ${outcome ?? null}, ${size ?? null}, ${price ?? null}, ${endedAt ?? null})`)
  if (isPlaced) await rig.context.publicApi?.order(follower.id, key, body)
  return follower
}
const inFlight = () => new Date(rig.clock.now().getTime() + 45_000)

const stateRow = z.object({
  effect_state: z.string(),
  effect_outcome: z.string().nullable(),
  effect_copies: z.number(),
  informed: z.boolean(),
})
const effectOf = ({ id }: Follower) =>
  rig.pool.one(sql.type(stateRow)`
    SELECT effect_state, effect_outcome, effect_copies, effect_informed_at IS NOT NULL AS informed FROM follow_order
    WHERE follow_id = (SELECT id FROM follow WHERE mandate_id = ${id})`)

test('the migration fills the shared columns of orders in each state, and is the one of the package', async () => {
  const own = ['0055-follow-order-ids.sql', '0056-outbound-orders.sql']
  expect(await readFile(join(migrations, '0056-outbound-orders.sql'), 'utf8')).toBe(
    migrationOf('follow_order', followOrderKind.former),
  )
  const database = await disposableDatabase('formergallery')
  const directory = await mkdtemp(join(tmpdir(), 'migrations-'))
  const apply = async (files: readonly string[]) => {
    for (const file of files) await copyFile(join(migrations, file), join(directory, file))
    await migrate({ url: database.migratorUrl, schema: 'formergallery', directory })
  }
  await apply((await readdir(migrations)).filter((file) => !own.includes(file)))
  const pool = await openPool(database.superuserUrl, { size: 1 })
  await pool.query(sql.unsafe`SET search_path TO formergallery`)
  // The vault and the listing of the follow are not what the migration looks at.
  await pool.query(sql.unsafe`SET session_replication_role = 'replica'`)
  await pool.query(sql.unsafe`
    INSERT INTO follow (id, mandate_id, listing_id, vault_id, agent_id, owner_id, account, network, after_seq, decided_seq, hired_by, hired_at)
    VALUES ('f', 'mdt_1', 'lst_1', 'opv_1', 1, 2, '0x1', 'testnet', 0, 0, 2, now())`)
  const insert = (seq: number, sends: number, outcome: string | null, code: string | null) =>
    pool.query(sql.unsafe`
      INSERT INTO follow_order (follow_id, seq, n, key, body, not_after, planned_at, sends, in_flight_until, outcome, code, size, price, ended_at)
      VALUES ('f', ${seq}, 1, ${`key-${seq}`}, '{}', '2026-11-01T00:02:00Z', '2026-11-01T00:00:00Z', ${sends},
        ${seq === 3 ? '2026-11-01T00:00:45Z' : null}, ${outcome}, ${code}, ${outcome === 'filled' ? 1 : null},
        ${outcome === 'filled' ? 1 : null}, ${outcome === null ? null : '2026-11-01'})`)
  await insert(1, 0, null, null)
  await insert(2, 1, null, 'hub_leg_open_in_flight')
  await insert(3, 2, null, null)
  await insert(4, 1, 'filled', null)
  await insert(5, 1, 'filled', 'partial')
  await insert(6, 1, 'missed', 'missed')
  await insert(7, 1, 'refused', 'over_daily_cap')
  await insert(8, 1, 'expired', 'outcome_unknown')
  await insert(9, 0, 'refused', 'unpaid')
  await apply(own)
  const rows = await pool.any(sql.type(stateRow.extend({ effect_over_after: z.number().nullable() }))`
    SELECT effect_state, effect_outcome, effect_copies, effect_informed_at IS NOT NULL AS informed, effect_over_after
    FROM follow_order ORDER BY seq`)
  const planned = Date.parse('2026-11-01T00:00:00Z')
  expect(rows.map((row) => Object.values(row))).toEqual([
    ['planned', null, 0, false, null],
    ['sent', null, 1, false, planned],
    ['sent', null, 2, false, planned + 45_000],
    ['ended', 'done', 1, true, planned],
    ['ended', 'partial', 1, true, planned],
    ['ended', 'expired', 1, true, planned],
    ['ended', 'refused', 1, true, planned],
    ['ended', 'expired', 1, true, planned],
    ['ended', 'abandoned', 0, true, planned],
  ])
  await pool.end()
  await rm(directory, { recursive: true })
  await database.drop()
})

test('an order of the last release goes on exactly once from each state: planned, lost, unanswered, late, ended', async () => {
  const lateAndPlaced = await formerOrder({ sends: 1, inFlightUntil: inFlight(), isPlaced: true })
  const lateAndLost = await formerOrder({ sends: 2, inFlightUntil: inFlight() })
  rig.clock.advance(151_000)
  const planned = await formerOrder({ sends: 0 })
  const lost = await formerOrder({ sends: 1, inFlightUntil: inFlight() })
  const unanswered = await formerOrder({ sends: 1, inFlightUntil: inFlight(), isPlaced: true })
  const ended = await formerOrder({ sends: 1, filled: true })
  await run()
  for (const follower of [lateAndPlaced, planned, lost, unanswered, ended])
    expect(await words(follower)).toEqual([['followed', null]])
  expect(await words(lateAndLost)).toEqual([['failed', 'expired']])
  expect([lateAndPlaced, lateAndLost, planned, lost, unanswered, ended].map((one) => executedFor(one).length)).toEqual([
    1, 0, 1, 1, 1, 0,
  ])
  // The last release had the owner pay for what it sent.
  expect([...rig.world.paid.keys()].map((key) => Number(key.split(' ')[0]))).toEqual([planned.ownerId])
  const states = [lateAndPlaced, lateAndLost, planned, lost, unanswered, ended].map(async (one) => {
    const { effect_state, effect_outcome, effect_copies, informed } = await effectOf(one)
    return [effect_state, effect_outcome, effect_copies, informed]
  })
  expect(await Promise.all(states)).toEqual([
    ['ended', 'done', 1, true],
    ['ended', 'expired', 2, true],
    ['ended', 'done', 1, true],
    ['ended', 'done', 2, true],
    ['ended', 'done', 2, true],
    ['ended', 'done', 1, true],
  ])
})

const refusal = {
  kind: 'answers',
  status: 409,
  body: { code: 'hub_mandate_refuses', refusal: { code: 'over_daily_cap' } },
} as const

test('a refusal ends an order of the last release at once if its requests were answered, and otherwise when hl-leg works on none', async () => {
  const answered = await formerOrder({ sends: 1 })
  rig.clock.advance(1_000)
  rig.world.faults.push(refusal)
  await run()
  expect(await words(answered)).toEqual([['refused', 'over_daily_cap']])
  const open = await formerOrder({ sends: 1, inFlightUntil: inFlight() })
  for (const expected of [[], [['refused', 'over_daily_cap']]]) {
    rig.clock.advance(45_000)
    rig.world.faults.push(refusal)
    await run()
    expect(await words(open)).toEqual(expected)
  }
  expect([answered, open].flatMap(executedFor)).toEqual([])
})

test('while both releases run, each counts what the other may have sent', async () => {
  const order = await formerOrder({ sends: 0 })
  rig.world.faults.push({ kind: 'lost' })
  await run()
  const columns = z.object({ sends: z.number(), in_flight_until: z.string(), not_after: z.string() })
  const row = await rig.pool.one(sql.type(columns)`
    SELECT sends, in_flight_until, not_after FROM follow_order WHERE key LIKE ${`house-${order.id}-%`}`)
  // The last release ends no order by a refusal then: an earlier request may be on its way.
  expect(row).toMatchObject({ sends: 1, in_flight_until: row.not_after })
  // What the last release ended is not sent again.
  await rig.pool.query(sql.unsafe`
    UPDATE follow_order SET sends = 2, outcome = 'filled', size = 1, price = 60000, ended_at = now()
    WHERE key LIKE ${`house-${order.id}-%`}`)
  await run()
  expect(requestsOf(order)).toEqual([])
  expect(await words(order)).toEqual([['followed', null]])
  expect(await effectOf(order)).toMatchObject({ effect_state: 'ended', effect_outcome: 'done', informed: true })
})
