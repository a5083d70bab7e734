import { sql } from '@svc/postgres'
import { opened } from '@svc/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Context } from '#context.ts'
import { followSignals } from '#runner/jobs/follow-signals.ts'
import { dyingContext, startFollowRig, type Sold } from '../follow-rig.ts'
import type { Fault, Follower } from '../follow-world.ts'
import { owner } from '../rig.ts'

const rig = opened(() => startFollowRig())
const SEEDS = process.env['TEST_LONG'] === '1' ? 100 : 6
const STEPS = 90
const PRICE = 2

/** Returns numbers below a bound that a seed determines (mulberry32). */
function randomOf(seed: number): (below: number) => number {
  let state = seed * 7_919 + 1
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

const REFUSED: Fault = {
  kind: 'answers',
  status: 409,
  body: { code: 'hub_mandate_refuses', refusal: { code: 'over_daily_cap' } },
}
const FAULTS: readonly Fault[] = [
  { kind: 'lost' },
  { kind: 'unanswered' },
  { kind: 'late' },
  { kind: 'unresolved' },
  { kind: 'answers', status: 503, body: { code: 'temporarily_unavailable' } },
  { kind: 'answers', status: 401, body: { code: 'unauthorized' } },
  REFUSED,
]

let second: Promise<Context> | null = null
const runOf = (context: Context) => followSignals(context)(AbortSignal.timeout(600_000))

/** What a script plays with. */
interface Scene {
  readonly listings: Sold[]
  readonly followers: readonly Follower[]
  readonly pick: (below: number) => number
}

const publish = async ({ listings, pick }: Scene) => {
  const side = (['long', 'short', 'flat'] as const)[pick(3)] ?? 'long'
  const now = rig.clock.now().getTime()
  await rig.publish(listings[pick(listings.length)] ?? expect.fail(), {
    market: pick(3) === 0 ? 'hl:ETH' : 'hl:BTC',
    side,
    weight_bps: side === 'flat' ? 0 : 1_000 * (1 + pick(9)),
    valid_until: pick(3) === 0 ? new Date(now + 1_000 * (1 + pick(300))).toISOString() : null,
  })
}

const hire = async ({ listings, followers, pick }: Scene) => {
  const [listing, one] = [listings[pick(listings.length)], followers[pick(followers.length)]]
  if (listing === undefined || one === undefined) return
  const { listingId: listing_id } = listing
  // Refused while the mandate follows another listing.
  await rig
    .as(owner(one.ownerId))
    .hireListing({ listing_id, mandate_id: one.id })
    .catch(() => {})
}
const run = () => runOf(rig.context)

const acts: readonly ((scene: Scene) => unknown)[] = [
  publish,
  publish,
  publish,
  publish,
  publish,
  hire,
  hire,
  hire,
  run,
  run,
  async ({ listings, followers, pick }) => {
    const [listing, one] = [listings[pick(listings.length)], followers[pick(followers.length)]]
    if (listing === undefined || one === undefined || pick(2) === 0) return
    await rig.as(owner(one.ownerId)).releaseListing({ listing_id: listing.listingId, mandate_id: one.id })
  },
  ({ followers, pick }) => {
    const one = followers[pick(followers.length)]
    if (one !== undefined) one.state = one.state === 'working' && pick(3) === 0 ? 'stopped' : 'working'
  },
  ({ followers, pick }) => {
    const one = followers[pick(followers.length)]
    if (one !== undefined) one.legState = pick(4) === 0 ? 'revoked' : 'bound'
  },
  ({ followers, pick }) => {
    const { ownerId } = followers[pick(followers.length)] ?? { ownerId: 0 }
    if (pick(3) === 0) rig.world.poor.add(ownerId)
    else rig.world.poor.delete(ownerId)
  },
  async ({ listings, pick }) => {
    if (pick(6) !== 0) return
    await rig.setStatus(listings.shift() ?? expect.fail(), pick(2) === 0 ? 'withdrawn' : 'suspended')
    listings.push(await rig.newListing({ price: PRICE }))
  },
  ({ pick }) => rig.world.faults.push(FAULTS[pick(FAULTS.length)] ?? { kind: 'lost' }),
  ({ pick }) => rig.world.faults.push(pick(2) === 0 ? REFUSED : { kind: 'unanswered' }),
  () => rig.world.arrive(),
  // A request is late, and the next ones are refused.
  async (scene) => {
    rig.world.faults.push({ kind: 'late' }, ...Array.from({ length: 1 + scene.pick(3) }, () => REFUSED))
    await publish(scene)
    await run()
    rig.clock.advance(1_000)
    await run()
    if (scene.pick(2) === 0) rig.world.arrive()
  },
  ({ pick }) => rig.clock.advance(1_000 * (pick(5) === 0 ? 200 : 1 + pick(40))),
  async () => Promise.all([runOf(rig.context), runOf(await (second ??= rig.second()))]),
  async ({ pick }) => {
    const { context, ended } = dyingContext(rig.context, pick(35))
    await Promise.race([runOf(context), ended])
  },
  () => rig.run('endFollows'),
]

const followRow = z.object({
  mandate_id: z.string(),
  vault_id: z.string(),
  after_seq: z.number(),
  upper: z.number(),
  hired_at: z.string(),
  ended_at: z.string().nullable(),
  seqs: z.array(z.number()),
})
const verdictRow = z.object({
  mandate_id: z.string(),
  owner_id: z.number(),
  vault_id: z.string(),
  seq: z.number(),
  signal_id: z.string(),
  recorded_at: z.string(),
  kind: z.string(),
  fill_price: z.string().nullable(),
})

/** Every signal of a follow has its one verdict, which agrees with what was executed, once, in time and paid for. */
async function check(followers: readonly Follower[]): Promise<readonly string[]> {
  const ids = sql.array(
    followers.map(({ id }) => id),
    'text',
  )
  const follows = await rig.pool.any(sql.type(followRow)`
    SELECT mandate_id, vault_id, after_seq, hired_at, ended_at,
      coalesce(last_seq, (SELECT max(seq) FROM signal s WHERE s.vault_id = f.vault_id), 0) AS upper,
      ARRAY(SELECT seq FROM verdict v WHERE v.follow_id = f.id ORDER BY seq) AS seqs
    FROM follow f WHERE mandate_id = ANY(${ids})`)
  for (const { after_seq: after, upper, seqs } of follows)
    expect(seqs).toEqual(Array.from({ length: Math.max(0, upper - after) }, (_, n) => after + 1 + n))
  const verdicts = await rig.pool.any(sql.type(verdictRow)`
    SELECT v.mandate_id, f.owner_id, v.vault_id, v.seq, s.id AS signal_id, s.recorded_at, v.kind, v.fill_price::text
    FROM verdict v JOIN follow f ON f.id = v.follow_id JOIN signal s ON s.vault_id = v.vault_id AND s.seq = v.seq
    WHERE v.mandate_id = ANY(${ids})`)
  const mine = new Set(followers.map(({ id }) => id))
  const executed = rig.world.executed.filter(({ mandateId }) => mine.has(mandateId))
  expect(new Set(executed.map(({ key }) => key)).size).toBe(executed.length)
  for (const one of verdicts) {
    const own = executed.filter(({ key }) => key.startsWith(`house-${one.mandate_id}-${one.signal_id}-`))
    expect([one.kind, one.fill_price !== null]).toEqual([one.kind, own.length > 0])
    for (const { at, not_after } of own) expect(at).toBeLessThanOrEqual(Date.parse(not_after))
    const charged = rig.world.paid.get(`${one.owner_id} ${one.vault_id}:${one.seq}`) ?? 0
    expect([one.kind, charged]).toEqual([one.kind, own.length > 0 ? 1 : Math.min(charged, 1)])
  }
  const known = new Set(verdicts.map(({ mandate_id, signal_id }) => `house-${mandate_id}-${signal_id}`))
  for (const { key } of executed) expect(known).toContain(key.slice(0, -2))
  return verdicts.map(({ kind }) => kind)
}

test.each(Array.from({ length: SEEDS }, (_, seed) => seed))(
  'script %i: whatever is hired, released, withdrawn, stopped, lost and killed, each signal has one verdict and no order two',
  async (seed) => {
    const pick = randomOf(seed)
    const listings = [await rig.newListing({ price: PRICE }), await rig.newListing({ price: PRICE })]
    const followers = [1, 2, 3].map(() => rig.world.newFollower())
    const scene = { listings, followers, pick }
    for (let step = 0; step < STEPS; step += 1) await acts[pick(acts.length)]?.(scene)
    rig.world.faults.length = 0
    rig.world.arrive()
    for (const ms of [0, 200_000, 40_000]) {
      rig.clock.advance(ms)
      await runOf(rig.context)
    }
    expect((await check(followers)).filter((kind) => kind.startsWith('dry_'))).toEqual([])
    for (const one of followers) one.state = 'stopped'
    await rig.run('endFollows')
  },
)

test('the scripts followed, skipped and were refused, with one body a key', async () => {
  const kinds = await rig.pool.anyFirst(sql.type(z.object({ kind: z.string() }))`SELECT DISTINCT kind FROM verdict`)
  expect(kinds).toEqual(expect.arrayContaining(['followed', 'skipped_stale', 'skipped_unpaid']))
  const bodies = Map.groupBy(rig.world.requests, ({ key }) => key)
  for (const [key, sent] of bodies) expect([key, new Set(sent.map(({ body }) => body)).size]).toEqual([key, 1])
})
