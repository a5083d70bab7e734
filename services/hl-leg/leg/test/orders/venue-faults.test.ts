import { sql } from '@svc/postgres'
import { Outage } from '@svc/service'
import { opened, refusalOf } from '@svc/testing'
import { beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { resolveOrders } from '#orders/jobs/resolve-orders.ts'
import { barOpens } from '#legs/store/open-bars.ts'
import { asAgent, asOwner, startOrderRig, type TestLeg } from './order-rig.ts'

const rig = opened(() => startOrderRig())

beforeEach(() => {
  rig.venue.control('clear-faults')
  rig.venue.control('time', { skew_ms: 0, now_ms: rig.clock.now().getTime() })
  rig.venue.control('mark', { coin: 'BTC', price: '60000' })
  rig.venue.control('book', { coin: 'BTC', policy: 'refill', ladder: { size: '2', levels: 20 } })
  rig.books.before = null
  rig.books.after = null
})

const buy = (leg: TestLeg, amount_usdc = '100') =>
  ({ public_id: leg.publicId, market: 'hl:BTC', side: 'buy', amount_usdc }) as const
const sell = (leg: TestLeg, size = '0.00158') =>
  ({ public_id: leg.publicId, market: 'hl:BTC', side: 'sell', size, reduce_only: true }) as const
const fault = (kind: string, more: object = {}) =>
  rig.venue.control('fault', { kind, endpoint: 'exchange', type: 'order', ...more })
const sent = () => Number((rig.venue.control('counts') as Record<string, number>)['exchange order'] ?? 0)
const bodies = (leg: TestLeg) =>
  rig.pool.any(
    sql.type(z.object({ state: z.string(), cloid: z.string() }))`
      SELECT state, cloid FROM leg_order WHERE public_id = ${leg.publicId} ORDER BY id`,
  )
const goOn = () => resolveOrders(rig.context)(AbortSignal.timeout(600_000))

describe('an order whose answer is lost executes once', () => {
  test.each([
    ['the connection drops after it executed', 'drop', 1],
    ['the answer is cut off', 'truncated', 1],
    ['the answer has numbers for decimals', 'wrong-type', 1],
    ['the venue answers 500', 'status500', 1],
    ['a proxy answers 502 in HTML', 'html502', 1],
    ['the venue limits requests', 'status429', 2],
  ])('when %s', async (_, kind, count) => {
    const leg = await rig.newLeg()
    fault(kind, { count })
    const answer = await asAgent(rig, leg, 'k').placeLegOrder(buy(leg))
    expect(answer).toMatchObject({ order: { status: 'filled', filled_size: '0.00158', fee_usdc: '0.042664' } })
    expect(rig.accountOf(leg).fills).toHaveLength(1)
    expect(rig.positionOf(leg, 'BTC')).toBe('0.00158')
  })

  test('when the venue hangs', async () => {
    const leg = await rig.newLeg()
    fault('hang')
    const answer = await asAgent(rig, leg, 'k').placeLegOrder(buy(leg))
    expect(answer).toMatchObject({ order: { status: 'filled' } })
    expect(rig.accountOf(leg).fills).toHaveLength(1)
  })

  test('when no answer comes for long: the call ends unresolved, the job sends the same bytes, the key tells the end', async () => {
    const leg = await rig.newLeg()
    fault('status500', { count: 100 })
    const first = await asAgent(rig, leg, 'k').placeLegOrder(buy(leg))
    const [row] = await bodies(leg)
    expect(first).toEqual({ ok: true, code: 'order_unresolved', public_id: leg.publicId, cloid: row?.cloid })
    // Another open of the leg waits for it, a close would not; another leg trades.
    expect(await refusalOf(asAgent(rig, leg, 'other').placeLegOrder(buy(leg)))).toMatchObject({
      status: 409,
      code: 'hub_leg_open_in_flight',
    })
    rig.advance(3_000)
    await goOn()
    expect(await asAgent(rig, leg, 'k').placeLegOrder(buy(leg))).toMatchObject({ code: 'order_unresolved' })
    rig.venue.control('clear-faults')
    rig.advance(3_000)
    await goOn()
    expect(await asAgent(rig, leg, 'k').placeLegOrder(buy(leg))).toMatchObject({
      order: { status: 'filled', cloid: row?.cloid },
      receipt: expect.any(String),
    })
    expect(rig.accountOf(leg).orders).toHaveLength(1)
  })

  test('when the answer stays away until the bytes have expired: nothing is sent any more, the venue is asked', async () => {
    const leg = await rig.newLeg()
    fault('drop')
    rig.venue.control('fault', { kind: 'status500', endpoint: 'info', type: 'exchangeStatus', count: 100 })
    expect(await asAgent(rig, leg, 'k').placeLegOrder(buy(leg))).toMatchObject({ code: 'order_unresolved' })
    rig.venue.control('clear-faults')
    rig.advance(16_000)
    const before = sent()
    await goOn()
    expect(await asAgent(rig, leg, 'k').placeLegOrder(buy(leg))).toMatchObject({ order: { status: 'filled' } })
    expect([sent() - before, rig.accountOf(leg).orders.length]).toEqual([0, 1])
  })

  test('even when the venue forgets the nonce: it is asked for the order before the same bytes go again', async () => {
    const leg = await rig.newLeg()
    fault('drop')
    rig.venue.control('fault', { kind: 'status500', endpoint: 'info', type: 'exchangeStatus', count: 2 })
    expect(await asAgent(rig, leg, 'k').placeLegOrder(buy(leg))).toMatchObject({ code: 'order_unresolved' })
    for (const signer of Object.keys(rig.venue.state.nonces)) rig.venue.control('prune', { nonces: signer })
    rig.advance(3_000)
    await goOn()
    expect(await asAgent(rig, leg, 'k').placeLegOrder(buy(leg))).toMatchObject({ order: { status: 'filled' } })
    expect(rig.positionOf(leg, 'BTC')).toBe('0.00158')
  })
})

describe('an order that the venue never saw', () => {
  test('is missed when the venue is 15 s past its expiry, and not a moment before', async () => {
    const leg = await rig.newLeg()
    fault('status500', { count: 100 })
    expect(await asAgent(rig, leg, 'k').placeLegOrder(buy(leg))).toMatchObject({ code: 'order_unresolved' })
    rig.advance(30_000)
    await goOn()
    expect(await asAgent(rig, leg, 'k').placeLegOrder(buy(leg))).toMatchObject({ code: 'order_unresolved' })
    rig.advance(1_000)
    await goOn()
    expect(await asAgent(rig, leg, 'k').placeLegOrder(buy(leg))).toMatchObject({
      ok: true,
      order: { status: 'missed', filled_size: '0' },
    })
    expect(rig.books.reserved.size).toBe(0)
    expect(rig.accountOf(leg).orders).toHaveLength(0)
  })

  test('is rejected when its first copy arrives expired: the clock of the venue is ahead', async () => {
    const leg = await rig.newLeg()
    rig.venue.control('time', { now_ms: rig.clock.now().getTime() + 20_000 })
    expect(await refusalOf(asAgent(rig, leg, 'k').placeLegOrder(buy(leg)))).toMatchObject({
      code: 'venue_rejected',
      reason: 'Action already expired',
    })
    expect(rig.accountOf(leg).orders).toHaveLength(0)
  })
})

describe('what the venue makes of an order', () => {
  test('a refusal in its own words is the answer, and stays it for the same key', async () => {
    const leg = await rig.newLeg({ usdc: '1' })
    for (const _ of [1, 2])
      expect(await refusalOf(asAgent(rig, leg, 'k').placeLegOrder(buy(leg)))).toMatchObject({
        status: 409,
        code: 'venue_rejected',
        reason: 'Insufficient margin to place order. asset=0',
      })
    expect([...rig.books.ended.values()].at(-1)).toMatchObject({ public_id: leg.publicId, outcome: 'missed' })
    expect(rig.accountOf(leg).orders).toHaveLength(1)
  })

  test('a thin book fills a part', async () => {
    const leg = await rig.newLeg()
    rig.venue.control('book', {
      coin: 'BTC',
      policy: 'taken',
      asks: [{ px: '60006', sz: '0.001' }],
      bids: [{ px: '59994', sz: '1' }],
    })
    expect(await asAgent(rig, leg, 'k').placeLegOrder(buy(leg))).toMatchObject({
      order: { status: 'partial', size: '0.00158', filled_size: '0.001' },
      position: { size: '0.001' },
    })
  })

  test('a price that jumps between the reading and the order is not followed beyond the band', async () => {
    const leg = await rig.newLeg()
    rig.books.before = (operation) => {
      if (operation === 'judge') rig.venue.control('mark', { coin: 'BTC', price: '66000' })
    }
    expect(await asAgent(rig, leg, 'k').placeLegOrder(buy(leg))).toMatchObject({
      ok: true,
      order: { status: 'missed', filled_size: '0' },
    })
    expect(rig.positionOf(leg, 'BTC')).toBe('0')
    expect([...rig.books.ended.values()].at(-1)).toMatchObject({ public_id: leg.publicId, outcome: 'missed' })
  })

  test('with one side of the book empty nothing opens, and a close fills at the other side', async () => {
    const leg = await rig.newLeg()
    await asAgent(rig, leg, 'open').placeLegOrder(buy(leg))
    rig.venue.control('book', { coin: 'BTC', policy: 'taken', asks: [], bids: [{ px: '59994', sz: '1' }] })
    expect(await refusalOf(asAgent(rig, leg, 'more').placeLegOrder(buy(leg)))).toMatchObject({
      code: 'hub_mandate_refuses',
      refusal: { code: 'venue_rule' },
    })
    expect(await asOwner(rig, leg, 'close').placeLegOrder(sell(leg))).toMatchObject({ order: { status: 'filled' } })
    expect(rig.positionOf(leg, 'BTC')).toBe('0')
  })

  test('a close at an empty side is missed, and a middle far from the mark price moves no close beyond the band', async () => {
    const leg = await rig.newLeg()
    await asAgent(rig, leg, 'open').placeLegOrder(buy(leg))
    rig.venue.control('book', { coin: 'BTC', policy: 'taken', bids: [], asks: [{ px: '60006', sz: '1' }] })
    expect(await asOwner(rig, leg, 'c1').placeLegOrder(sell(leg))).toMatchObject({ order: { status: 'missed' } })
    rig.venue.control('book', {
      coin: 'BTC',
      policy: 'taken',
      bids: [{ px: '30000', sz: '1' }],
      asks: [{ px: '30006', sz: '1' }],
    })
    expect(await asOwner(rig, leg, 'c2').placeLegOrder(sell(leg))).toMatchObject({ order: { status: 'missed' } })
    expect(rig.positionOf(leg, 'BTC')).toBe('0.00158')
  })
})

describe('a reading with a hole lets nothing be opened', () => {
  test.each([
    ['one dex fails', { kind: 'missing-dex', type: 'clearinghouseState', dex: 'xyz' }],
    ['times are old', { kind: 'stale', type: 'clearinghouseState', ms: 600_000 }],
    ['the book is cut off', { kind: 'truncated', type: 'l2Book' }],
    ['numbers stand for decimals', { kind: 'wrong-type', type: 'clearinghouseState' }],
  ])('when %s', async (_, given) => {
    const leg = await rig.newLeg()
    rig.venue.control('fault', { endpoint: 'info', ...given })
    await expect(asAgent(rig, leg, 'k').placeLegOrder(buy(leg))).rejects.toMatchObject({ name: 'Outage' })
    expect(rig.accountOf(leg).orders).toHaveLength(0)
    // The key was not kept.
    expect(await asAgent(rig, leg, 'k').placeLegOrder(buy(leg))).toMatchObject({ order: { status: 'filled' } })
  })

  test('but a close needs no book', async () => {
    const leg = await rig.newLeg()
    await asAgent(rig, leg, 'open').placeLegOrder(buy(leg))
    rig.venue.control('fault', { endpoint: 'info', kind: 'truncated', type: 'l2Book' })
    expect(await asOwner(rig, leg, 'close').placeLegOrder(sell(leg))).toMatchObject({ order: { status: 'filled' } })
  })
})

describe('two at once', () => {
  test('with the same key in two processes make one order', async () => {
    const leg = await rig.newLeg()
    await rig.second()
    const answers = await Promise.allSettled(
      Array.from({ length: 6 }, () => asAgent(rig, leg, 'same').placeLegOrder(buy(leg))),
    )
    const filled = answers.filter(({ status }) => status === 'fulfilled')
    expect(filled.length).toBeGreaterThan(0)
    for (const answer of answers)
      if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ body: { code: 'idempotency_in_flight' } })
    expect(rig.accountOf(leg).orders).toHaveLength(1)
    expect(rig.positionOf(leg, 'BTC')).toBe('0.00158')
  })

  test('open one after the other, so that open notional never exceeds what one of them would reach', async () => {
    // 2 × 100: the second of two opens of 120 would reach 240.
    const leg = await rig.newLeg({ dailyCap: '100' })
    const both = await Promise.allSettled(
      ['a', 'b'].map((key) => asAgent(rig, leg, key).placeLegOrder(buy(leg, '120'))),
    )
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { body: { code: 'hub_mandate_refuses', refusal: { code: 'over_open_notional' } } },
    })
  })

  test('a close does not wait for an open that hangs', async () => {
    const leg = await rig.newLeg()
    await asAgent(rig, leg, 'open').placeLegOrder(buy(leg))
    fault('delay', { ms: 2_000 })
    const opening = asAgent(rig, leg, 'slow').placeLegOrder(buy(leg, '50'))
    await expect.poll(async () => (await bodies(leg)).map(({ state }) => state)).toEqual(['filled', 'signed'])
    const closed = await asOwner(rig, leg, 'close').placeLegOrder(sell(leg))
    expect(closed).toMatchObject({ order: { status: 'filled', filled_size: '0.00158' } })
    expect((await bodies(leg))[1]).toMatchObject({ state: 'signed' })
    expect(await opening).toMatchObject({ order: { status: 'filled' } })
  })
})

test('an open that was judged is not sent when the stop line bars opens meanwhile', async () => {
  const leg = await rig.newLeg()
  rig.books.before = async (operation) => {
    if (operation === 'judge') await barOpens(rig.pool, leg.publicId, 'stop_line', rig.clock.now())
  }
  expect(await asAgent(rig, leg, 'k').placeLegOrder(buy(leg))).toMatchObject({
    order: { status: 'missed', filled_size: '0' },
    judgement: null,
    receipt: null,
  })
  expect([rig.accountOf(leg).orders.length, rig.books.reserved.size]).toEqual([0, 0])
  rig.books.before = null
  expect(await refusalOf(asAgent(rig, leg, 'other').placeLegOrder(buy(leg)))).toMatchObject({
    refusal: { code: 'stop_line_crossed' },
  })
})

test('an order is found by a later look if the clock of the venue goes back after the reading', async () => {
  const leg = await rig.newLeg()
  const asked = () => Number((rig.venue.control('counts') as Record<string, number>)['info userFillsByTime'] ?? 0)
  rig.books.after = () => void rig.venue.control('time', { skew_ms: 0, now_ms: rig.clock.now().getTime() - 10_000 })
  const before = asked()
  expect(await asAgent(rig, leg, 'k').placeLegOrder(buy(leg))).toMatchObject({ order: { status: 'filled' } })
  expect([rig.accountOf(leg).orders.length, asked() - before]).toEqual([1, 2])
})

test('an order that mandates does not judge in time is not kept: the same key asks again at once', async () => {
  const leg = await rig.newLeg()
  rig.books.before = (operation) => {
    // The answer is lost after the amount was reserved.
    if (operation === 'judge') throw new Outage('test', 'the answer is lost')
  }
  await expect(asAgent(rig, leg, 'k').placeLegOrder(buy(leg))).rejects.toMatchObject({ name: 'Outage' })
  rig.books.before = null
  expect(await asAgent(rig, leg, 'k').placeLegOrder(buy(leg))).toMatchObject({ order: { status: 'filled' } })
  expect(rig.accountOf(leg).orders).toHaveLength(1)
})

test('what mandates and identity do not hear while they are away, they hear from the job', async () => {
  const leg = await rig.newLeg()
  rig.identity.isAway = true
  rig.books.before = (operation) => {
    if (operation === 'judge') setImmediate(() => (rig.mandates.isAway = true))
  }
  const first = await asAgent(rig, leg, 'k').placeLegOrder(buy(leg))
  expect(first).toMatchObject({ ok: true, order: { status: 'filled' }, receipt: null })
  rig.books.before = null
  rig.mandates.isAway = rig.identity.isAway = false
  expect([...rig.books.ended.values()].filter(({ public_id }) => public_id === leg.publicId)).toEqual([])
  rig.advance(6_000)
  await goOn()
  const again = await asAgent(rig, leg, 'k').placeLegOrder(buy(leg))
  expect(again).toMatchObject({ order: { status: 'filled' }, receipt: expect.any(String) })
  expect([...rig.books.ended.values()].filter(({ public_id }) => public_id === leg.publicId)).toHaveLength(1)
})
