import { opened, refusalOf } from '@svc/testing'
import { sql } from '@svc/postgres'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { standingOf } from '#hall/store/standing.ts'
import { addressOf, agentOf, mandateId, mandateOf, playWorld, type World } from '../facts/world.ts'
import { CLOSED_POLICY } from '@svc/contracts/identity/policy'
import { admin, startGalleryRig } from '../rig.ts'

const rig = opened(() => startGalleryRig())
let world: World
const TODAY = '2026-11-23'
const hall = (input: object = {}) => rig.as(null).readHall(input)
/** Rises by `step` a day with a ripple, for `days` days. */
const rising = (days: number, step: number) =>
  Array.from({ length: days }, (_, at) => step + (at % 2 === 0 ? 0.004 : -0.004))

const identityAgent = (agent_id: number) => ({
  agent_id,
  name: `Agent ${agent_id}`,
  wallet: addressOf(agent_id),
  owner: null,
  policy: CLOSED_POLICY,
  access_ends_at: null,
  last_seen_at: null,
  channel: null,
})

async function pullAll(): Promise<void> {
  await rig.run('rebuildFacts')
  await rig.run('pullFacts')
  await rig.run('rebuildFacts')
}

const FACTS = {
  fact_agent: sql.fragment`SELECT to_jsonb(t) AS row FROM fact_agent t ORDER BY agent_id`,
  fact_owner: sql.fragment`SELECT to_jsonb(t) AS row FROM fact_owner t ORDER BY owner_id`,
  fact_mandate: sql.fragment`SELECT to_jsonb(t) - 'no' AS row FROM fact_mandate t ORDER BY public_id`,
  fact_day: sql.fragment`SELECT to_jsonb(t) - 'mandate_no' || jsonb_build_object('id', m.public_id) AS row
    FROM fact_day t JOIN fact_mandate m ON m.no = t.mandate_no ORDER BY m.public_id, t.day`,
}
async function allFacts() {
  const tables = Object.entries(FACTS).map(async ([name, query]) => [
    name,
    await rig.pool.anyFirst(sql.type(z.object({ row: z.unknown() }))`${query}`),
  ])
  return Object.fromEntries(await Promise.all(tables)) as Record<keyof typeof FACTS, unknown[]>
}

beforeAll(() => {
  world = playWorld(rig)
  for (let id = 1; id <= 6; id += 1) world.agents.set(id, agentOf(id))
  // Six agents: good, better, falling, too young, of its own owner, without a mandate.
  world.mandates.set(mandateId(1), mandateOf(1, 1, { results: rising(30, 0.002), until: TODAY, public_proof: true }))
  world.mandates.set(mandateId(2), mandateOf(2, 2, { results: rising(40, 0.004), until: TODAY }))
  world.mandates.set(mandateId(3), mandateOf(3, 3, { results: rising(30, -0.01), until: TODAY }))
  world.mandates.set(mandateId(4), mandateOf(4, 4, { results: rising(8, 0.05), until: TODAY }))
  world.mandates.set(mandateId(5), mandateOf(5, 5, { results: rising(50, 0.02), until: TODAY, owner_id: 500_005 }))
})

test('before the first snapshot the Hall is pending, and no pass runs before all facts have been asked for', async () => {
  expect(await hall()).toMatchObject({ computed_at: null, pending: true, stale: false, total: 0, items: [] })
  expect(await rig.as(null).readHallProof({})).toMatchObject({ pending: true, mandates_working: null })
  expect(await rig.run('hallSnapshot')).toMatchObject({ done: 0 })
  expect(await rig.from('mandates').readRanks({ agent_ids: [1] })).toMatchObject({ pending: true, ranks: [null] })
  expect((await hall()).pending).toBe(true)
})

test('ranked agents come first, by each sort in its order; those of their own owner come after the others by worth', async () => {
  world.daysMax = 33
  await pullAll()
  world.daysMax = 10_000
  await rig.run('hallSnapshot')
  const ids = async (input: object) => (await hall(input)).items.map(({ agent_id }) => agent_id)
  expect(await ids({})).toEqual([5, 2, 1, 3, 4, 6])
  expect(await ids({ sort: 'worth_change' })).toEqual([2, 1, 3, 5, 4, 6])
  expect(await ids({ sort: 'trades', window: '7d' })).toEqual([5, 2, 1, 3, 4, 6])
  expect(await ids({ limit: 2, offset: 1 })).toEqual([2, 1])
  expect(await ids({ operator: 'vault' })).toEqual([])
  const page = await hall({ sort: 'worth_change' })
  expect(page).toMatchObject({ total: 6, pending: false, stale: false })
  expect(page.items.map(({ rank }) => rank)).toEqual([1, 2, 3, 4, null, null])
  expect(page.items.at(4)).toMatchObject({
    ranked: false,
    days_needed: 5,
    trades_needed: 2,
    worth_change_low_bps: null,
  })
  const drawdowns = (await hall({ sort: 'drawdown' })).items.slice(0, 4).map((row) => row.max_drawdown_bps ?? -1)
  expect(drawdowns).toEqual(drawdowns.toSorted((a, b) => a - b))
})

test('an agent page has each mandate, indices from 100 and no owner, wallet or amount; vault and blocks only with public_proof', async () => {
  const open = await rig.as(null).readHallAgent({ agent_id: 1 })
  expect(open.mandates).toMatchObject([
    {
      mandate: 'm1',
      state: 'working',
      days_live: 31,
      clauses: { kept: true, violations: 0 },
      trades: 30,
      // Three quarters of what was paid in, whatever it became since.
      stop_line: 75,
    },
  ])
  expect(open.mandates[0]?.proof).toMatchObject({ public_id: mandateId(1), chain_id: 31_337 })
  expect(open.mandates[0]?.proof?.points).toHaveLength(31)
  expect(open.mandate_counts).toEqual({ open: 1, closed: 0, stopped: 0, kept_inside_limits: 1 })
  expect(open.series?.values.at(0)).toBe(100)
  expect(open.paper).toBeNull()
  const closed = await rig.as(null).readHallAgent({ agent_id: 2 })
  expect(closed.mandates[0]?.proof).toBeNull()
  expect(JSON.stringify(closed)).not.toMatch(/0x|700002|500002|mdt_|usdc/i)
  expect(await refusalOf(rig.as(null).readHallAgent({ agent_id: 99 }))).toMatchObject({ code: 'not_found' })
})

test('mandates reads ranks, and other subjects the standing of agents', async () => {
  const { ranks, pending } = await rig.from('mandates').readRanks({ agent_ids: [2, 4, 99] })
  expect(pending).toBe(false)
  expect(ranks).toMatchObject([{ agent_id: 2, ranked: true, rank: 1 }, { ranked: false, days_needed: 5 }, null])
  expect((await standingOf(rig.pool, [2])).get(2)).toEqual({
    ranked: true,
    rank: 1,
    daysLive: 41,
    tradesTotal: 40,
    adherencePct: 100,
    violations30d: 0,
    independentOwners: 1,
    independentPrincipalUsdc: 100_000_000n,
  })
})

test('lists of agents that accept mandates, and of operators, have the order of the whole list', async () => {
  rig.peers.identity.answers['readAgents'] = ({ agent_ids }: { agent_ids: number[] }) => ({
    agents: agent_ids.map((id) => identityAgent(id)),
  })
  for (const id of [3, 5]) await rig.as(admin(1)).addOperator({ agent_id: id, kind: 'signal', title: `Signals ${id}` })
  world.agents.set(2, agentOf(2, { accepts_mandates: false }))
  world.agents.set(6, agentOf(6, { accepts_mandates: false }))
  for (const agent_id of [2, 6]) await rig.deliver('identity.policyChanged', { agent_id })
  await rig.run('pullFacts')
  await rig.run('hallSnapshot')
  const ids = async (input: object) => (await hall(input)).items.map(({ agent_id }) => agent_id)
  expect(await ids({ sort: 'worth_change' })).toEqual([2, 1, 3, 5, 4])
  expect(await ids({ sort: 'worth_change', accepting: '1' })).toEqual([1, 3, 5, 4])
  expect(await ids({ sort: 'worth_change', operator: 'signal' })).toEqual([3, 5])
  expect(await ids({ operator: 'signal', accepting: '1', limit: 1, offset: 1 })).toEqual([3])
  expect((await hall({ accepting: '1' })).total).toBe(4)
  expect((await hall({ operator: 'signal' })).items[0]).toMatchObject({ agent_id: 5, operator: 'signal', house: false })
  for (const id of [2, 6]) world.agents.set(id, agentOf(id))
  for (const agent_id of [2, 6]) await rig.deliver('identity.policyChanged', { agent_id })
  await rig.run('pullFacts')
  await rig.run('hallSnapshot')
  expect((await hall()).total).toBe(6)
})

test('events that come late, doubled and out of order change nothing but what is asked for', async () => {
  const before = await allFacts()
  const event = (from_day: string | null) => ({ items: [{ public_id: mandateId(3), agent_id: 3, from_day }] })
  for (const day of ['2026-11-22', '2026-11-01', null, '2026-11-22', '2026-11-22'])
    await rig.deliver('mandates.hallFactsChanged', event(day))
  await rig.deliver('identity.policyChanged', { agent_id: 3 })
  await rig.run('pullFacts')
  expect(await allFacts()).toEqual(before)
})

test('a pass computes only agents whose facts changed, and a violation shows at once', async () => {
  expect(await rig.run('hallSnapshot')).toMatchObject({ computed: 1, agents: 6 })
  const mandate = world.mandates.get(mandateId(2))
  const last = mandate?.days.at(-1)
  if (mandate === undefined || last === undefined) throw new Error('the world has mandate 2')
  last.violations = 2
  last.refusals = { OverDailyCap: 3 }
  last.refusals_on_chain = 1
  await rig.deliver('mandates.hallFactsChanged', {
    items: [{ public_id: mandateId(2), agent_id: 2, from_day: last.day }],
  })
  await rig.run('pullFacts')
  rig.clock.advance(120_000)
  expect(await rig.run('hallSnapshot')).toMatchObject({ computed: 1 })
  const row = (await hall({ window: '30d' })).items.find(({ agent_id }) => agent_id === 2)
  expect(row).toMatchObject({
    violations: 2,
    refusals: { total: 3, by_kind: { OverDailyCap: 3 } },
    adherence_pct: 96.66,
  })
  expect(await rig.as(null).readHallProof({})).toMatchObject({
    mandates_working: 5,
    calls_refused_on_chain: 1,
    days_inside_limits: 31 + 40 + 31 + 9 + 51,
    records_verifiable_pct: 20,
  })
})

test('facts that cannot be read keep the last good row as degraded with its own time, and then a record error replaces it', async () => {
  const goodAt = (await hall()).computed_at
  rig.peers.mandates.isAway = true
  await rig.deliver('mandates.hallFactsChanged', { items: [{ public_id: mandateId(1), agent_id: 1, from_day: TODAY }] })
  await expect(rig.run('pullFacts')).rejects.toThrow()
  rig.clock.advance(601_000)
  expect(await hall()).toMatchObject({ stale: true, computed_at: goodAt })
  await rig.run('hallSnapshot')
  const rowOf = async () => (await hall()).items.find(({ agent_id }) => agent_id === 1)
  expect(await rowOf()).toMatchObject({ degraded: true, record_error: false, row_computed_at: goodAt, ranked: true })
  rig.clock.advance(3_600_000)
  await rig.run('hallSnapshot')
  expect(await rowOf()).toMatchObject({
    degraded: false,
    record_error: true,
    ranked: false,
    rank: null,
    worth_change_bps: null,
    adherence_pct: null,
  })
  expect((await hall()).items.at(-1)?.agent_id).toBe(1)
  expect((await rig.from('mandates').readRanks({ agent_ids: [1] })).ranks).toEqual([null])
  rig.peers.mandates.isAway = false
  rig.clock.advance(3_600_000)
  await rig.run('pullFacts')
  await rig.run('hallSnapshot')
  expect(await rowOf()).toMatchObject({ degraded: false, record_error: false, ranked: true })
})

test('a pass that reaches its statement timeout stores nothing, and the snapshot says that it is stale', async () => {
  const before = await hall()
  const { context } = rig
  const short = {
    ...context,
    settings: Object.create(context.settings, { hallStatementTimeoutMs: { value: 100 } }) as never,
  }
  await rig.pool.transaction(async (tx) => {
    await tx.query(sql.unsafe`LOCK TABLE hall_snapshot IN SHARE MODE`)
    await expect(rig.run('hallSnapshot', short)).rejects.toThrow()
  })
  expect(await hall()).toEqual(before)
  rig.clock.advance(601_000)
  expect(await hall()).toEqual({ ...before, stale: true })
  await rig.run('hallSnapshot')
  expect(await hall()).toMatchObject({ stale: false })
})

test('a dry run computes and stores nothing', async () => {
  const before = await hall()
  rig.clock.advance(60_000)
  const { context } = rig
  const dry = { ...context, settings: Object.create(context.settings, { hallDryRun: { value: true } }) as never }
  expect(await rig.run('hallSnapshot', dry)).toMatchObject({ agents: 6, dry_run: true })
  expect(await hall()).toEqual(before)
})

test('dropped facts are asked for again and equal what they were, row for row; meanwhile the snapshot stays', async () => {
  const before = await allFacts()
  const shown = await hall()
  const { runRebuild } = await import('#facts/rebuild-command.ts')
  const task = async (_: object, __: object, work: (kit: never) => Promise<object>) => {
    await work({ ...rig.context, bus: { request: null } } as never)
    return 0 as const
  }
  await runRebuild({ runTask: task } as never, {})
  expect((await allFacts()).fact_day).toEqual([])
  expect(await rig.run('hallSnapshot')).toMatchObject({ done: 0 })
  expect(await hall()).toEqual(shown)
  await pullAll()
  expect(await allFacts()).toEqual(before)
  await rig.run('hallSnapshot')
  const without = ({ items }: Awaited<ReturnType<typeof hall>>) =>
    items.map((row) => ({ ...row, row_computed_at: null }))
  expect(without(await hall())).toEqual(without(shown))
})
