import { exact } from '@svc/hyperliquid/rounding'
import { RemoteRefusal } from '@svc/service'
import { sql } from '@svc/postgres'
import { opened } from '@svc/testing'
import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { asOwner, startOrderRig, type Trader } from './order-rig.ts'

const rig = opened(() => startOrderRig())
beforeEach(() => rig.heal())

const RUNS = { numRuns: 15 }
const shown = fc.record({
  bid: fc.integer({ min: 59_000, max: 61_000 }),
  spread: fc.integer({ min: 1, max: 300 }),
})
const given = fc.record({
  book: shown,
  moved: shown,
  side: fc.constantFrom('buy' as const, 'sell' as const),
  amount: fc.integer({ min: 1_500, max: 20_000 }).map((cents) => exact(cents).div(100).toFixed()),
  band: fc.constantFrom('0.02', '0.05'),
})
type Case = typeof given extends fc.Arbitrary<infer T> ? T : never

function show({ bid, spread }: Case['book']): void {
  const level = (px: number, sz: string) => ({ px: String(px), sz })
  const ask = bid + spread
  const [bids, asks] = [
    [level(bid, '0.001'), level(bid - 100, '1')],
    [level(ask, '0.001'), level(ask + 100, '1')],
  ]
  rig.venue.control('book', { coin: 'BTC', policy: 'taken', bids, asks })
}

async function unlessRefused<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call
  } catch (error) {
    if (error instanceof RemoteRefusal) return null
    throw error
  }
}

const rowOf = ({ id }: Trader) =>
  rig.pool.one(
    sql.type(z.object({ notional: z.string(), filled: z.string() }))`
      SELECT notional_usdc::text AS notional, filled_notional_usdc::text AS filled FROM trade_order WHERE owner_id = ${id}`,
  )
const prepare = (one: Trader, { side, amount, band }: Case) =>
  unlessRefused(
    asOwner(rig, one).prepareOrder({
      market: 'hl:BTC',
      side,
      amount_usdc: amount,
      max_slippage: band,
      mode: 'live',
    }),
  )

test('an order that is judged again at its execution fills at most what it then counts, and the caps count its fill', async () => {
  let fills = 0
  await fc.assert(
    fc.asyncProperty(given, async (scene) => {
      const one = await rig.trader({ usdc: '5000' })
      await rig.setCap(one, '1000', '10000')
      show(scene.book)
      const prepared = await prepare(one, scene)
      if (prepared === null) return
      expect(exact(prepared.estimate.notional_usdc).lte(scene.amount)).toBe(true)
      show(scene.moved)
      const done = await unlessRefused(asOwner(rig, one).executeOrder({ confirm_id: prepared.confirm_id ?? 'none' }))
      if (done === null || !('order' in done)) return
      const { notional, filled } = await rowOf(one)
      expect(exact(filled).lte(notional)).toBe(true)
      expect(exact((await asOwner(rig, one).readOrderCap({})).used_today_usdc).gte(filled)).toBe(true)
      fills += Number(exact(filled).gt(0))
    }),
    RUNS,
  )
  expect(fills).toBeGreaterThan(0)
})

test('an order of the browser, which nobody judges again, fills at most what it counts, a sell by as much more as the bid rose', async () => {
  let fills = 0
  await fc.assert(
    fc.asyncProperty(given, async (scene) => {
      const one = await rig.trader({ usdc: '5000', orderKey: false, webKey: true })
      await rig.setCap(one, '1000', '10000')
      show(scene.book)
      const prepared = await prepare(one, scene)
      if (prepared === null) return
      show(scene.moved)
      await rig.postSigned(one, prepared)
      const done = await unlessRefused(asOwner(rig, one).recordOrder({ confirm_id: prepared.confirm_id ?? 'none' }))
      if (done === null || !('order' in done)) return
      const { notional, filled } = await rowOf(one)
      const reference = exact(prepared.estimate.reference_price ?? 1)
      const high = scene.side === 'buy' || reference.gt(scene.moved.bid) ? reference : exact(scene.moved.bid)
      // A quotient of the two prices would be rounded.
      expect(exact(filled).times(reference).lte(exact(notional).times(high))).toBe(true)
      expect(exact((await asOwner(rig, one).readOrderCap({})).used_today_usdc).gte(filled)).toBe(true)
      fills += Number(exact(filled).gt(0))
    }),
    RUNS,
  )
  expect(fills).toBeGreaterThan(0)
})
