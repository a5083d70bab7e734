import type { PreparedOrder } from '@svc/contracts/hl-trade/order-schemas'
import { dyingAfter, opened, refusalOf } from '@svc/testing'
import { beforeEach, describe, expect, test } from 'vitest'
import { sql } from '@svc/postgres'
import { Outage, type RemoteRefusal } from '@svc/service'
import { z } from 'zod'
import { CLAIM_MS } from '#orders/drive-trade.ts'
import { executeTrade } from '#orders/execute-trade.ts'
import { resolveTrades } from '#orders/jobs/resolve-trades.ts'
import { tradeByConfirm } from '#orders/store/trade-orders.ts'
import { refusedWhileCopied } from '@svc/venue-rig/sending-through'
import { asAgent, asOwner, startOrderRig, type Trader } from './order-rig.ts'

const rig = opened(() => startOrderRig())
beforeEach(() => rig.heal())

const buy = { market: 'hl:BTC', side: 'buy', amount_usdc: '60', mode: 'live' } as const
const sell = { market: 'hl:BTC', side: 'sell', size: '1', reduce_only: true, mode: 'live' } as const
const execute = (one: Trader, { confirm_id }: PreparedOrder, key?: string) =>
  asOwner(rig, one, key).executeOrder({ confirm_id: confirm_id ?? 'none' })
const prepare = (one: Trader) => asOwner(rig, one).prepareOrder(buy)
const blind = () =>
  rig.venue.control('fault', { kind: 'status500', endpoint: 'info', type: 'exchangeStatus', count: 100 })
const seen = () => rig.venue.control('clear-faults')

describe('an order whose answer is lost executes once', () => {
  test.each(['drop', 'truncated', 'wrong-type', 'status500', 'html502'])('with the fault %s', async (kind) => {
    const one = await rig.trader()
    const prepared = await prepare(one)
    rig.fault(kind, { count: 1 })
    const first = await execute(one, prepared)
    rig.advance(13_000)
    await rig.resolve()
    const done = await execute(one, prepared)
    expect(done).toMatchObject({ order: { status: 'filled', filled_size: '0.00095' } })
    if ('order' in first) expect(done).toEqual(first)
    expect([rig.accountOf(one).orders.length, rig.positionOf(one)]).toEqual([1, '0.00095'])
  })

  test('and is found by the job of another process when the call that sent it died', async () => {
    const one = await rig.trader()
    const prepared = await prepare(one)
    rig.fault('drop', { count: 1 })
    blind()
    expect(await execute(one, prepared)).toMatchObject({ code: 'order_unresolved', order_id: prepared.order_id })
    await rig.resolve()
    expect(await rig.statesOf(one)).toMatchObject([{ state: 'signed' }])
    seen()
    rig.advance(13_000)
    await resolveTrades(await rig.second())(AbortSignal.timeout(600_000))
    expect(await rig.statesOf(one)).toMatchObject([{ state: 'filled', filled_size: '0.00095' }])
    expect(rig.accountOf(one).orders).toHaveLength(1)
  })

  test('and its reservation stays until the venue is 15 s past the expiry of what it never saw', async () => {
    const one = await rig.trader()
    const prepared = await prepare(one)
    rig.fault('status500', { count: 100 })
    expect(await execute(one, prepared)).toMatchObject({ code: 'order_unresolved' })
    rig.advance(30_000)
    await rig.resolve()
    expect((await asOwner(rig, one).readOrderCap({})).used_today_usdc).toBe(prepared.estimate.notional_usdc)
    rig.advance(3_000)
    await rig.resolve()
    expect(await execute(one, prepared)).toMatchObject({ order: { status: 'missed' } })
    expect((await asOwner(rig, one).readOrderCap({})).used_today_usdc).toBe('0')
    expect(rig.accountOf(one).orders).toHaveLength(0)
  })

  test('whatever the step at which its process ends, before and after the bytes are stored', async () => {
    const one = await rig.trader()
    await rig.setCap(one, '1000', '100000')
    for (let lives = 1; lives <= 24; lives += 1) {
      const prepared = await prepare(one)
      const order = await tradeByConfirm(rig.pool, one.id, prepared.confirm_id ?? '')
      if (order === null) throw new Error('not prepared')
      const { context, ended } = dying(lives)
      await Promise.race([executeTrade(context, order), ended])
      rig.advance(13_000)
      await rig.resolve()
      rig.advance(61_000)
      await rig.resolve()
    }
    const states = await rig.statesOf(one)
    const filled = states.filter(({ state }) => state === 'filled')
    expect(states.every(({ state }) => ['filled', 'missed', 'expired'].includes(state))).toBe(true)
    expect(rig.accountOf(one).orders).toHaveLength(filled.length)
    expect(Number(rig.positionOf(one))).toBeCloseTo(filled.length * 0.00095, 8)
    expect(filled.length).toBeGreaterThan(1)
  })
})

describe('an order that the venue lists as filled with nothing executed', () => {
  const stale = () =>
    rig.venue.control('fault', { kind: 'stale-sz', endpoint: 'info', type: 'orderStatus', count: 10_000 })

  test('is resolved from its executions, and is open for as long as none is listed', async () => {
    const one = await rig.trader()
    const prepared = await prepare(one)
    rig.fault('drop', { count: 1 })
    stale()
    rig.venue.control('fault', { kind: 'empty', endpoint: 'info', type: 'userFillsByTime', count: 10_000 })
    expect(await execute(one, prepared)).toMatchObject({ code: 'order_unresolved' })
    for (let run = 0; run < 3; run += 1) {
      rig.advance(20_000)
      await rig.resolve()
    }
    expect(await rig.statesOf(one)).toMatchObject([{ state: 'signed' }])
    seen()
    stale()
    rig.advance(3_000)
    await rig.resolve()
    expect([await rig.statesOf(one), rig.positionOf(one)]).toMatchObject([
      [{ state: 'filled', filled_size: '0.00095' }],
      '0.00095',
    ])
  })

  test('and that a key in the browser posted is recorded by its executions', async () => {
    const one = await rig.trader({ orderKey: false, webKey: true })
    const prepared = await prepare(one)
    await rig.postSigned(one, prepared)
    stale()
    rig.venue.control('fault', { kind: 'empty', endpoint: 'info', type: 'userFillsByTime' })
    const record = () => asOwner(rig, one).recordOrder({ confirm_id: prepared.confirm_id ?? 'none' })
    expect(await record()).toMatchObject({ code: 'order_unresolved' })
    expect(await record()).toMatchObject({ order: { status: 'filled', filled_size: '0.00095' } })
  })
})

describe('two tabs', () => {
  test('that confirm one order at the same time, in two processes, execute it once', async () => {
    const one = await rig.trader()
    const other = await rig.second()
    const prepared = await prepare(one)
    const order = await tradeByConfirm(rig.pool, one.id, prepared.confirm_id ?? '')
    if (order === null) throw new Error('not prepared')
    const ends = await Promise.all([
      executeTrade(rig.context, order),
      executeTrade(other, order),
      execute(one, prepared),
    ])
    expect(ends[0].state).toBe('filled')
    expect(ends[1].orderId).toBe(prepared.order_id)
    expect(rig.accountOf(one).orders).toHaveLength(1)
    expect(await execute(one, prepared)).toMatchObject({ order: { status: 'filled' } })
  })

  test('of which one is refused before the venue took the nonce book what the copy of the other executes', async () => {
    const one = await rig.trader()
    const prepared = await prepare(one)
    const now = async () => {
      const order = await tradeByConfirm(rig.pool, one.id, prepared.confirm_id ?? '')
      return order ?? expect.fail('not prepared')
    }
    rig.fault('refuse', { count: 1 })
    const other = await rig.second()
    const [first, copy] = await refusedWhileCopied([rig.context, other], async (context) => {
      // The first process stands still for so long that another one takes the order over.
      if (Object.getPrototypeOf(context) === other) rig.advance(CLAIM_MS + 1)
      return executeTrade(context, await now())
    })
    expect([first.state, copy.state]).toEqual(['signed', 'filled'])
    expect([await rig.statesOf(one), rig.positionOf(one)]).toMatchObject([[{ state: 'filled' }], '0.00095'])
    expect(rig.accountOf(one).orders).toHaveLength(1)
  })

  test('that confirm one order many times at once, each with a key of its own, get the answer of one execution', async () => {
    const one = await rig.trader()
    const stranger = await rig.trader()
    const { confirm_id } = await prepare(one)
    const confirm = (who: Trader, key: string) =>
      asOwner(rig, who, key).executeOrder({ confirm_id: confirm_id ?? 'none' })
    const [foreign, ofAgent, ...answers] = await Promise.all([
      refusalOf(confirm(stranger, 'k0')),
      refusalOf(asAgent(rig, one, 'k0').executeOrder({ confirm_id: confirm_id ?? 'none' })),
      ...Array.from({ length: 6 }, (_, n) => confirm(one, `k${n}`)),
    ])
    expect([foreign.code, ofAgent.code]).toEqual(['unknown_order', 'scope_denied'])
    const done = await confirm(one, 'late')
    expect(done).toMatchObject({ order: { status: 'filled' } })
    for (const answer of answers)
      expect([{ ...done }, expect.objectContaining({ code: 'order_unresolved' })]).toContainEqual(answer)
    expect([rig.accountOf(one).orders.length, rig.positionOf(one)]).toEqual([1, '0.00095'])
    expect(rig.accountOf(stranger).orders).toHaveLength(0)
    // What was refused has bound nothing to its key.
    expect(await execute(stranger, await prepare(stranger), 'k0')).toMatchObject({ order: { status: 'filled' } })
  })

  test('that confirm two orders at once with one key execute one, and the other is refused by name', async () => {
    const one = await rig.trader()
    const both = [await prepare(one), await asOwner(rig, one).prepareOrder({ ...buy, amount_usdc: '30' })]
    const settled = await Promise.allSettled(both.map((prepared) => execute(one, prepared, 'same')))
    const refused = settled.flatMap((end) => (end.status === 'rejected' ? [end.reason as RemoteRefusal] : []))
    expect(refused.map(({ body }) => body.code)).toEqual(['idempotency_mismatch'])
    expect(rig.accountOf(one).orders).toHaveLength(1)
    expect((await rig.statesOf(one)).map(({ state }) => state).toSorted()).toEqual(['filled', 'prepared'])
  })

  test('that send one signed order of the browser at once get the answer of one execution', async () => {
    const one = await rig.trader({ orderKey: false, webKey: true })
    const prepared = await prepare(one)
    const input = { confirm_id: prepared.confirm_id ?? 'none', signature: await rig.signatureOf(one, prepared) }
    const answers = await Promise.all(['a', 'b', 'c'].map((key) => asOwner(rig, one, key).recordOrder(input)))
    const done = await asOwner(rig, one, 'late').recordOrder(input)
    expect(done).toMatchObject({ order: { status: 'filled' }, violation: false })
    for (const answer of answers)
      expect([{ ...done }, expect.objectContaining({ code: 'order_unresolved' })]).toContainEqual(answer)
    expect([rig.accountOf(one).orders.length, rig.positionOf(one)]).toEqual([1, '0.00095'])
  })

  test('that prepare with the same key make one order', async () => {
    const one = await rig.trader()
    const both = await Promise.all([1, 2].map(() => asOwner(rig, one, 'same').prepareOrder(buy)))
    expect(both[0]?.order_id).toBe(both[1]?.order_id)
    expect(await rig.statesOf(one)).toHaveLength(1)
  })
})

/** It answers after the client has given up, which takes twice 4.5 s. */
const slow: [string, object] = ['too slow', { kind: 'delay', endpoint: 'info', type: 'l2Book', ms: 5_000, count: 2 }]
const faults: [string, object][] = [
  ['away', { kind: 'status500', endpoint: 'info', count: 100 }],
  ['unreadable', { kind: 'wrong-type', endpoint: 'info', type: 'clearinghouseState', count: 100 }],
  ['stale', { kind: 'stale', endpoint: 'info', type: 'clearinghouseState', ms: 300_000, count: 100 }],
  ...(process.env['TEST_LONG'] === '1' ? [slow] : []),
]

describe('a venue that cannot be relied on', () => {
  test.each(faults)('that is %s prepares and executes nothing, and says so', async (_, fault) => {
    const one = await rig.trader()
    const prepared = await prepare(one)
    rig.venue.control('fault', fault)
    await expect(prepare(one)).rejects.toThrow(Outage)
    await expect(execute(one, prepared)).rejects.toThrow(Outage)
    expect(rig.accountOf(one).orders).toHaveLength(0)
    seen()
    expect(await execute(one, prepared)).toMatchObject({ order: { status: 'filled' } })
  })

  test('that is out of budget refuses with the time to come back', async () => {
    const one = await rig.trader()
    const prepared = await prepare(one)
    const retry_at = new Date(rig.clock.now().getTime() + 5_000).toISOString()
    const { answers } = rig.peers.leg
    const before = answers['spendVenueWeight']
    answers['spendVenueWeight'] = () => ({ retry_at })
    await expect(prepare(one)).rejects.toThrow(/venue_budget/)
    await expect(execute(one, prepared)).rejects.toThrow(/venue_budget/)
    if (before !== undefined) answers['spendVenueWeight'] = before
    rig.advance(6_000)
    expect(await execute(one, prepared)).toMatchObject({ order: { status: 'filled' } })
  })

  test('that has another mark between click and order fills nothing beyond the prepared price', async () => {
    const one = await rig.trader()
    const prepared = await prepare(one)
    rig.setMark('61500')
    expect(await execute(one, prepared)).toMatchObject({ order: { status: 'filled' } })
    expect(Number(rig.accountOf(one).fills[0]?.px)).toBeLessThanOrEqual(Number(prepared.estimate.worst_price))
  })

  test('that rejects an order is answered with its words, for good, and the cap is free again', async () => {
    const one = await rig.trader({ usdc: '1' })
    const prepared = await prepare(one)
    for (const _ of [1, 2])
      expect(await refusalOf(execute(one, prepared))).toMatchObject({
        code: 'venue_rejected',
        reason: 'Insufficient margin to place order. asset=0',
      })
    expect((await asOwner(rig, one).readOrderCap({})).used_today_usdc).toBe('0')
  })

  test('and whose account turned meanwhile opens nothing on top', async () => {
    const one = await rig.trader()
    await execute(one, await prepare(one))
    const close = await asOwner(rig, one).prepareOrder({ ...sell, size: '0.00095' })
    const more = await asOwner(rig, one).prepareOrder(buy)
    await execute(one, close)
    expect(await execute(one, more)).toMatchObject({ order: { status: 'filled' } })
    const short = await rig.trader()
    const first = await prepare(short)
    rig.advance(1_000)
    await rig.trade(rig.walletOfTrader(short), { asset: 0, side: 'sell', price: '57100', size: '0.0005' })
    expect(await refusalOf(execute(short, first))).toMatchObject({ code: 'would_flip', position_size: '-0.0005' })
  })
})

test('a close is sent in the class of closes, and everything that is read for it in that of orders', async () => {
  const one = await rig.trader()
  await execute(one, await prepare(one))
  const spent: string[] = []
  const { answers } = rig.peers.leg
  const before = answers['spendVenueWeight']
  answers['spendVenueWeight'] = ({ class: by, weight }: { class: string; weight: number }) => {
    spent.push(`${by} ${weight}`)
    return { retry_at: null }
  }
  await execute(one, await asOwner(rig, one).prepareOrder(sell))
  if (before !== undefined) answers['spendVenueWeight'] = before
  expect(spent.filter((one) => one.startsWith('closes'))).toEqual(['closes 1'])
  expect(new Set(spent.map((one) => one.split(' ')[0]))).toEqual(new Set(['closes', 'orders']))
})

/** A context of a process that ends before its step number `lives`: nothing that it asks for is answered any more. */
function dying(lives: number) {
  const { wrap, ended } = dyingAfter(lives)
  const { pool, venue, leg } = rig.context
  const parts = Object.getOwnPropertyDescriptors({ pool: wrap(pool), venue: wrap(venue), leg: wrap(leg) })
  return { context: Object.create(rig.context, parts) as typeof rig.context, ended }
}

test('no row of an order is ever without its bytes once it may be at the venue', async () => {
  const bad = await rig.pool.any(sql.type(z.object({ id: z.number() }))`
    SELECT id FROM trade_order WHERE mode = 'live' AND sign_mode = 'server' AND oid IS NOT NULL AND body IS NULL`)
  expect(bad).toEqual([])
})
