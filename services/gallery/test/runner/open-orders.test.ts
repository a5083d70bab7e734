import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { fileURLToPath } from 'node:url'
import { outboundGauges } from '@svc/outbound'
import { sql } from '@svc/postgres'
import { inherited, opened } from '@svc/testing'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { CLAIM_MS } from '#runner/carry-out.ts'
import { followSignals } from '#runner/jobs/follow-signals.ts'
import { followOrderKind } from '#runner/store/follow-orders.ts'
import { dyingContext, startFollowRig } from '../follow-rig.ts'
import type { Fault, Follower } from '../follow-world.ts'

const rig = opened(() => startFollowRig())
const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

afterEach(() => {
  rig.world.faults.length = 0
  for (const peer of Object.values(rig.peers)) peer.isAway = false
})

const run = () => rig.run('followSignals')
/** A follower of a listing with one signal, in whose time the next faults happen. */
async function signalled(...faults: readonly Fault[]): Promise<Follower> {
  const listing = await rig.newListing()
  const follower = await rig.newFollow(listing)
  await rig.publish(listing)
  rig.world.faults.push(...faults)
  await run()
  return follower
}
async function later(ms: number, ...faults: readonly Fault[]) {
  rig.clock.advance(ms)
  rig.world.faults.push(...faults)
  await run()
}
const words = async (follower: Follower) => (await rig.verdicts(follower)).map(({ kind, reason }) => [kind, reason])
const executedFor = ({ id }: Follower) => rig.world.executed.filter(({ mandateId }) => mandateId === id)
const requestsOf = ({ id }: Follower) => rig.world.requests.filter(({ key }) => key.includes(id))

const effectRow = z.object({
  id: z.number(),
  effect_state: z.string(),
  effect_outcome: z.string().nullable(),
  effect_copies: z.number(),
  effect_contradictions: z.number(),
})
const effectOf = ({ id }: Follower) =>
  rig.pool.one(sql.type(effectRow)`
    SELECT id, effect_state, effect_outcome, effect_copies, effect_contradictions FROM follow_order
    WHERE follow_id = (SELECT id FROM follow WHERE mandate_id = ${id})`)

const refused: Fault = {
  kind: 'answers',
  status: 409,
  body: { code: 'hub_mandate_refuses', refusal: { code: 'over_daily_cap' } },
}
const answers = (status: number, code: string): Fault => ({ kind: 'answers', status, body: { code } })

describe('a refusal of a later request', () => {
  test.each([
    ['its answer was lost', { kind: 'late' } as const],
    ['the gateway stopped waiting', answers(503, 'temporarily_unavailable')],
  ])('leaves the order open while an earlier one may be placed: %s', async (_, first) => {
    const follower = await signalled(first)
    await later(5_000, refused)
    expect(await words(follower)).toEqual([])
    expect(await effectOf(follower)).toMatchObject({ effect_state: 'sent', effect_copies: 2 })
    rig.world.arrive()
    await later(5_000)
    expect(await words(follower)).toEqual([['followed', null]])
    expect(executedFor(follower)).toHaveLength(1)
    expect(await effectOf(follower)).toMatchObject({ effect_outcome: 'done', effect_copies: 3 })
  })

  test('ends the order once hl-leg works on no earlier one', async () => {
    const follower = await signalled({ kind: 'lost' })
    await later(45_000, refused)
    expect(await words(follower)).toEqual([])
    await later(1, refused)
    expect(await words(follower)).toEqual([['refused', 'over_daily_cap']])
    expect(await effectOf(follower)).toMatchObject({ effect_outcome: 'refused', effect_copies: 3 })
  })

  test('ends the order at once if hl-leg answered the earlier one', async () => {
    const follower = await signalled(answers(409, 'hub_leg_open_in_flight'))
    await later(5_000, refused)
    expect(await words(follower)).toEqual([['refused', 'over_daily_cap']])
    expect(executedFor(follower)).toEqual([])
  })
})

test('an order of which hl-leg says nothing for days stays open, is reported, and ends as what hl-leg then says', async () => {
  const listing = await rig.newListing()
  const followers = [await rig.newFollow(listing), await rig.newFollow(listing)]
  await rig.publish(listing)
  rig.world.faults.push({ kind: 'unanswered' }, { kind: 'lost' })
  await run()
  const [executed, lost] = followers.toSorted((one, other) => executedFor(other).length - executedFor(one).length)
  if (executed === undefined || lost === undefined) return expect.fail('two followers')
  const { readFollowOrder } = rig.peers.leg.answers
  Object.assign(rig.peers.leg.answers, { readFollowOrder: () => Promise.reject(new Error('hl-leg fails')) })
  for (const ms of [151_000, 86_400_000, 86_400_000]) await later(ms)
  expect([await words(executed), await words(lost)]).toEqual([[], []])
  const gauges = outboundGauges(rig.pool, [followOrderKind])
  const labels = { kind: 'follow_order', state: 'sent' }
  expect(await gauges['hub_outbound_open']?.read()).toContainEqual({ labels, value: 2 })
  Object.assign(rig.peers.leg.answers, { readFollowOrder })
  const before = rig.world.requests.length
  await run()
  expect([await words(executed), await words(lost)]).toEqual([[['followed', null]], [['failed', 'expired']]])
  expect(rig.world.requests.length).toBe(before)
  expect(await effectOf(lost)).toMatchObject({ effect_state: 'ended', effect_outcome: 'expired' })
})

test('an order that hl-leg calls filled with nothing executed is looked up again until hl-leg does not contradict itself', async () => {
  const follower = await signalled({ kind: 'unanswered' })
  const { readFollowOrder } = rig.peers.leg.answers
  const contradictory = { state: 'filled', filled_size: '0', average_price: '60000' }
  Object.assign(rig.peers.leg.answers, { readFollowOrder: () => ({ order: contradictory }) })
  await later(151_000)
  await later(5_000)
  expect(await words(follower)).toEqual([])
  expect(await effectOf(follower)).toMatchObject({ effect_state: 'sent', effect_contradictions: 2 })
  Object.assign(rig.peers.leg.answers, { readFollowOrder })
  await later(5_000)
  expect(await words(follower)).toEqual([['followed', null]])
})

test('an order that was planned and not sent in its time is given up without a request', async () => {
  const listing = await rig.newListing({ price: 2 })
  const follower = await rig.newFollow(listing)
  await rig.publish(listing)
  rig.peers.subscriptions.isAway = true
  await run()
  expect(await effectOf(follower)).toMatchObject({ effect_state: 'planned' })
  await later(121_000)
  expect(await words(follower)).toEqual([['failed', 'expired']])
  expect(await effectOf(follower)).toMatchObject({ effect_outcome: 'abandoned', effect_copies: 0 })
  expect([requestsOf(follower), rig.world.paid.get(`${follower.ownerId} ${listing.vaultId}:1`)]).toEqual([
    [],
    undefined,
  ])
})

test('a request that left a process that was killed is counted, and is repeated with the same bytes when its claim has expired', async () => {
  const listing = await rig.newListing()
  const follower = await rig.newFollow(listing)
  await rig.publish(listing)
  const { context, ended } = dyingContext(rig.context, Number.POSITIVE_INFINITY)
  const { publicApi } = rig.context
  const left = Promise.withResolvers<void>()
  const order: NonNullable<typeof publicApi>['order'] = async (...request) => {
    await publicApi?.order(...request)
    left.resolve()
    return new Promise(() => {})
  }
  const dying = Object.create(context, { publicApi: { value: { order } } }) as typeof context
  void followSignals(dying)(AbortSignal.timeout(600_000))
  await Promise.race([left.promise, ended])
  expect(await effectOf(follower)).toMatchObject({ effect_state: 'sent', effect_copies: 1 })
  await run()
  expect(requestsOf(follower)).toHaveLength(1)
  await later(CLAIM_MS)
  expect(await words(follower)).toEqual([['followed', null]])
  expect(executedFor(follower)).toHaveLength(1)
  expect(new Set(requestsOf(follower).map(({ body }) => body)).size).toBe(1)
})

test('in a dry run and without a key an order that was sent waits for its time, and nothing is sent', async () => {
  const follower = await signalled({ kind: 'unanswered' })
  const sent = requestsOf(follower).length
  const dry = Object.create(rig.context.settings, { houseFollowDryRun: { value: true } }) as typeof rig.context.settings
  const runs = [
    () => rig.run('followSignals', { ...rig.context, settings: dry }),
    () => rig.run('followSignals', { ...rig.context, publicApi: null }),
  ]
  for (const again of runs) await again()
  expect(await words(follower)).toEqual([])
  rig.clock.advance(151_000)
  await runs[0]?.()
  expect(await words(follower)).toEqual([['followed', null]])
  expect(requestsOf(follower)).toHaveLength(sent)
})

test('an operator lists open orders, reads one without its bytes, and makes one due, in a process of its own', async () => {
  const follower = await signalled({ kind: 'lost' })
  const env = { ...inherited(), ...rig.environment() } as NodeJS.ProcessEnv
  const printed = async (args: readonly string[]) => {
    const { stdout } = await promisify(execFile)(process.execPath, [main, ...args], { env })
    return stdout.split('\n').flatMap((line) => (/^\{"(?:id|n)"/.test(line) ? [JSON.parse(line) as unknown] : []))
  }
  const id = `follow_order-${(await effectOf(follower)).id}`
  expect(await printed(['--outbound', 'list'])).toMatchObject([{ id, effect_state: 'sent', effect_copies: 1 }])
  const [shown] = await printed(['--outbound', 'show', id])
  expect(shown).toMatchObject({ n: 1, outcome: null })
  expect(shown).not.toHaveProperty('body')
  await printed(['--outbound', 'retry', id])
  await later(5_000)
  expect(await words(follower)).toEqual([['followed', null]])
  expect(await printed(['--outbound', 'list'])).toEqual([])
})
