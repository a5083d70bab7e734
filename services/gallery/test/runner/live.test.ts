import { sql } from '@svc/postgres'
import { opened } from '@svc/testing'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { startFollowRig, type Sold } from '../follow-rig.ts'
import type { Fault, Follower } from '../follow-world.ts'
import { owner } from '../rig.ts'

const rig = opened(() => startFollowRig())

afterEach(() => {
  rig.world.faults.length = 0
  rig.world.prices.set('hl:BTC', '60000')
})

const run = () => rig.run('followSignals')
const words = async (follower: Follower) =>
  (await rig.verdicts(follower)).map(({ seq, kind, reason }) => [seq, kind, reason])
const ordersOf = ({ id }: Follower) => rig.world.executed.filter(({ mandateId }) => mandateId === id)
const sentFor = ({ id }: Follower) => rig.world.requests.filter(({ key }) => key.includes(id))
const followed = async (listing?: Sold, some?: Partial<Follower>) => {
  const sold = listing ?? (await rig.newListing())
  return { listing: sold, follower: await rig.newFollow(sold, some) }
}

test('a signal is ordered through the public API once, and the verdict has price, gap and delay', async () => {
  const { listing, follower } = await followed()
  const signal = await rig.publish(listing)
  rig.clock.advance(2_000)
  await run()
  await run()
  expect(ordersOf(follower)).toMatchObject([
    { key: `house-${follower.id}-${signal.id}-1`, market: 'hl:BTC', side: 'buy', size: '0.00083', price: '60060' },
  ])
  expect(await rig.verdicts(follower)).toEqual([
    {
      seq: 1,
      kind: 'followed',
      reason: null,
      signal_price: '60000',
      fill_price: '60060',
      gap_bps: '10',
      delay_ms: 2_000,
    },
  ])
})

test('a flip closes, then opens, under keys 1 and 2; flat closes; what stands at its target orders nothing', async () => {
  const { listing, follower } = await followed()
  await rig.publish(listing)
  await run()
  const held = follower.positions.get('hl:BTC')
  const flip = await rig.publish(listing, { side: 'short', weight_bps: 3_000 })
  await run()
  expect(ordersOf(follower).slice(1)).toMatchObject([
    { key: `house-${follower.id}-${flip.id}-1`, side: 'sell', size: held, reduce_only: true },
    { key: `house-${follower.id}-${flip.id}-2`, side: 'sell', size: '0.0005', reduce_only: false },
  ])
  for (const _ of [1, 2]) {
    await rig.publish(listing, { side: 'flat', weight_bps: 0 })
    await run()
  }
  expect(follower.positions.size).toBe(0)
  expect(ordersOf(follower)).toHaveLength(4)
  expect(await words(follower)).toEqual([
    [1, 'followed', null],
    [2, 'followed', null],
    [3, 'followed', null],
    [4, 'followed', 'at_target'],
  ])
  expect((await rig.verdicts(follower)).map(({ gap_bps }) => gap_bps)).toEqual(['10', '10', '10', null])
})

test('signals that wait are decided one after the other, each by the position that the one before left', async () => {
  const { listing, follower } = await followed()
  await rig.publish(listing)
  await rig.publish(listing, { market: 'hl:ETH', side: 'short', weight_bps: 2_000 })
  await rig.publish(listing, { side: 'flat', weight_bps: 0 })
  await run()
  expect(ordersOf(follower).map(({ market, side }) => [market, side])).toEqual([
    ['hl:BTC', 'buy'],
    ['hl:ETH', 'sell'],
    ['hl:BTC', 'sell'],
  ])
  expect(await words(follower)).toEqual([1, 2, 3].map((seq) => [seq, 'followed', null]))
})

test('what is not followed has its reason: too late, beyond caps, no leg, a stopped mandate', async () => {
  const late = await followed()
  await rig.publish(late.listing)
  rig.clock.advance(120_001)
  const capped = await followed(undefined, { openMax: '10' })
  const noLeg = await followed()
  noLeg.follower.legState = 'revoked'
  const stopped = await followed()
  for (const { listing } of [capped, noLeg, stopped]) await rig.publish(listing)
  stopped.follower.state = 'stopped'
  await run()
  expect(await words(late.follower)).toEqual([[1, 'skipped_stale', 'too_late']])
  expect(await words(capped.follower)).toEqual([[1, 'skipped_limit', 'over_caps']])
  expect(await words(noLeg.follower)).toEqual([[1, 'skipped_no_leg', 'leg_not_bound']])
  expect(await words(stopped.follower)).toEqual([[1, 'skipped_stale', 'follow_ended']])
  expect(await rig.told(stopped.follower)).toEqual(['mandate_stopped'])
  await rig.publish(stopped.listing)
  await run()
  expect(await words(stopped.follower)).toHaveLength(1)
  expect([late, capped, noLeg, stopped].flatMap(({ follower }) => sentFor(follower))).toEqual([])
})

test('a signal of before the hire is never followed, nor one of a listing withdrawn meanwhile', async () => {
  const listing = await rig.newListing()
  await rig.publish(listing)
  const { follower } = await followed(listing)
  await run()
  expect(await words(follower)).toEqual([])
  await rig.publish(listing)
  await rig.setStatus(listing, 'withdrawn')
  await run()
  expect(await words(follower)).toEqual([[2, 'skipped_stale', 'follow_ended']])
  expect(sentFor(follower)).toEqual([])
})

test('a limit price bounds the band of an open, and a market beyond it is skipped', async () => {
  const { listing, follower } = await followed()
  await rig.publish(listing, { limit_price: '60300' })
  await run()
  expect(JSON.parse(sentFor(follower)[0]?.body ?? '{}')).toMatchObject({ max_slippage: '0.005', size: '0.00083' })
  await rig.publish(listing, { limit_price: '59000', weight_bps: 9_000 })
  await run()
  expect(await words(follower)).toEqual([
    [1, 'followed', null],
    [2, 'skipped_limit', 'limit_price'],
  ])
})

test('a follower reaches its target within one lot, from nothing, from below and from above', async () => {
  const { listing, follower } = await followed(undefined, { equity: '1000' })
  const reached: number[] = []
  for (const [weight_bps, mark] of [
    [5_000, '60000'],
    [9_000, '61234'],
    [3_000, '58765'],
  ] as const) {
    rig.world.prices.set('hl:BTC', mark)
    await rig.publish(listing, { weight_bps })
    await run()
    const target = (1_000 * weight_bps) / 10_000 / Number(mark)
    reached.push(Math.abs(target - Number(follower.positions.get('hl:BTC'))))
  }
  expect(Math.max(...reached)).toBeLessThan(0.00001)
  expect(ordersOf(follower).map(({ side, reduce_only }) => [side, reduce_only])).toEqual([
    ['buy', false],
    ['buy', false],
    ['sell', true],
  ])
})

test('an open that may cost more than what passes is sent by the amount that passes', async () => {
  const { listing, follower } = await followed(undefined, { equity: '1000', openMax: '500' })
  await rig.publish(listing)
  await run()
  expect(ordersOf(follower)).toMatchObject([{ side: 'buy', amount_usdc: '500' }])
})

describe('a paid listing', () => {
  test('charges the owner of the mandate once for a signal, before the order', async () => {
    const listing = await rig.newListing({ price: 2 })
    const { follower } = await followed(listing)
    await rig.publish(listing)
    rig.world.faults.push({ kind: 'lost' }, { kind: 'unanswered' })
    for (const _ of [1, 2, 3]) await run()
    expect(await words(follower)).toEqual([[1, 'followed', null]])
    expect(rig.world.paid.get(`${follower.ownerId} ${listing.vaultId}:1`)).toBe(1)
    expect(ordersOf(follower)).toHaveLength(1)
  })

  test('sends no order while the owner lacks the Cherry, and the verdict shows neither price nor market', async () => {
    const listing = await rig.newListing({ price: 2 })
    const { follower } = await followed(listing)
    rig.world.poor.add(follower.ownerId)
    await rig.publish(listing)
    await run()
    expect(await rig.verdicts(follower)).toEqual([
      {
        seq: 1,
        kind: 'skipped_unpaid',
        reason: null,
        signal_price: null,
        fill_price: null,
        gap_bps: null,
        delay_ms: null,
      },
    ])
    expect(sentFor(follower)).toEqual([])
  })
})

describe('whatever the API answers', () => {
  const refusal = { code: 'hub_mandate_refuses', refusal: { code: 'over_daily_cap' } }
  test.each<[string, Fault[], [string, string | null], number]>([
    ['nothing arrives there', [{ kind: 'lost' }], ['followed', null], 1],
    ['the answer is lost', [{ kind: 'unanswered' }], ['followed', null], 1],
    ['the order is not resolved at once', [{ kind: 'unresolved' }], ['followed', null], 1],
    [
      'it has no time',
      [{ kind: 'answers', status: 503, body: { code: 'temporarily_unavailable' } }],
      ['followed', null],
      1,
    ],
    [
      'another order is in flight',
      [{ kind: 'answers', status: 409, body: { code: 'hub_leg_open_in_flight' } }],
      ['followed', null],
      1,
    ],
    ['the mandate refuses', [{ kind: 'answers', status: 409, body: refusal }], ['refused', 'over_daily_cap'], 0],
    [
      'the venue rejects',
      [{ kind: 'answers', status: 409, body: { code: 'venue_rejected' } }],
      ['refused', 'venue_rejected'],
      0,
    ],
  ])('%s: one order at most, and one verdict', async (_, faults, verdict, orders) => {
    const { listing, follower } = await followed()
    await rig.publish(listing)
    rig.world.faults.push(...faults)
    await run()
    rig.clock.advance(5_000)
    for (const _again of [1, 2]) await run()
    expect(await words(follower)).toEqual([[1, ...verdict]])
    expect(ordersOf(follower)).toHaveLength(orders)
  })

  test('after its time nothing is sent again, and hl-leg says what became of the order', async () => {
    const [sent, lost] = [await followed(), await followed()]
    for (const { listing } of [sent, lost]) await rig.publish(listing)
    rig.world.faults.push({ kind: 'unanswered' }, { kind: 'answers', status: 401, body: { code: 'unauthorized' } })
    await run()
    rig.clock.advance(121_000)
    await run()
    expect([await words(sent.follower), await words(lost.follower)]).toEqual([[], []])
    rig.clock.advance(30_000)
    await run()
    const outcomes = [...(await words(sent.follower)), ...(await words(lost.follower))]
    expect(new Set(outcomes.map(([, kind, reason]) => `${kind} ${reason}`))).toEqual(
      new Set(['failed unauthorized', 'followed null']),
    )
    const requests = [...sentFor(sent.follower), ...sentFor(lost.follower)]
    expect(requests).toHaveLength(1)
  })

  test('an order on its way is completed after a release; nothing new is sent', async () => {
    const { listing, follower } = await followed()
    await rig.publish(listing)
    rig.world.faults.push({ kind: 'unanswered' })
    await run()
    await rig.publish(listing, { side: 'flat', weight_bps: 0 })
    await rig.as(owner(follower.ownerId)).releaseListing({ listing_id: listing.listingId, mandate_id: follower.id })
    await run()
    expect(await words(follower)).toEqual([
      [1, 'followed', null],
      [2, 'skipped_stale', 'follow_ended'],
    ])
    expect(ordersOf(follower)).toHaveLength(1)
  })

  test('while a neighbour is away no verdict is stored, and nothing is sent', async () => {
    const { listing, follower } = await followed()
    await rig.publish(listing)
    for (const name of ['mandates', 'leg'] as const) {
      rig.peers[name].isAway = true
      await expect(run()).rejects.toThrow()
      rig.peers[name].isAway = false
    }
    expect([await words(follower), sentFor(follower)]).toEqual([[], []])
    await run()
    expect(await words(follower)).toEqual([[1, 'followed', null]])
  })
})

test('without its key the runner says so, and without an account it does nothing', async () => {
  const { listing, follower } = await followed()
  await rig.publish(listing)
  const { publicApi: _, ...rest } = rig.context
  await rig.run('followSignals', { ...rest, publicApi: null })
  expect(await words(follower)).toEqual([[1, 'skipped_no_runner_key', 'no_runner_key']])
  await rig.publish(listing)
  const settings = Object.create(rig.context.settings, {
    houseRunnerId: { value: null },
  }) as typeof rig.context.settings
  expect(await rig.run('followSignals', { ...rig.context, settings })).toEqual({ done: 0 })
})

test('verdicts stay for ever: no program of the service changes or deletes them', async () => {
  for (const statement of [
    sql.unsafe`UPDATE verdict SET reason = 'x'`,
    sql.unsafe`DELETE FROM verdict`,
    sql.unsafe`DELETE FROM follow_order`,
  ])
    await expect(rig.pool.query(statement)).rejects.toThrow()
  const doubled = await rig.pool.any(sql.type(z.object({ n: z.number() }))`
    SELECT count(*) AS n FROM verdict GROUP BY mandate_id, vault_id, seq HAVING count(*) > 1`)
  expect(doubled).toEqual([])
})
