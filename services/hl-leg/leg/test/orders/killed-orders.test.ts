import { sql } from '@svc/postgres'
import { eventually, opened } from '@svc/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { resolveOrders } from '#orders/jobs/resolve-orders.ts'
import { placeLegOrder } from '#orders/operations/place-leg-order.ts'
import { callOf, dyingContext } from './dying.ts'
import { asAgent, startOrderRig, type TestLeg } from './order-rig.ts'

const rig = opened(() => startOrderRig())

/** An order takes fewer steps than this. */
const STEPS = 40
const lifetimes = Array.from({ length: STEPS }, (_, lives) => lives)

const order = (leg: TestLeg, side: 'buy' | 'sell') => ({
  public_id: leg.publicId,
  market: 'hl:BTC',
  side,
  ...(side === 'buy' ? { amount_usdc: '100' } : { size: '0.00158' }),
  reduce_only: side === 'sell',
  dry_run: false,
})
const unresolved = () =>
  rig.pool.oneFirst(
    sql.type(z.object({ n: z.number() }))`
      SELECT count(*)::int AS n FROM leg_order WHERE resolved_at IS NULL OR told_at IS NULL`,
  )

/** Places an order in a process that ends after so many steps; returns whether it ended before it answered. */
async function placeAndDie(leg: TestLeg, side: 'buy' | 'sell', lives: number) {
  const { context, ended } = dyingContext(rig.context, lives)
  const call = callOf(rig, context, leg, side)
  const answer = placeLegOrder(context)(order(leg, side), call).then(() => 'answered' as const)
  return Promise.race([answer, ended])
}

/** Lets another process go on after so long. */
async function recover(afterMs: number) {
  const second = await (another ??= rig.second())
  for (const ms of [afterMs, 20_000, 20_000]) {
    rig.advance(ms)
    await resolveOrders(second)(AbortSignal.timeout(600_000))
  }
}
let another: ReturnType<typeof rig.second> | null = null

const endsOf = (leg: TestLeg) => [...rig.books.ended.values()].filter(({ public_id }) => public_id === leg.publicId)

describe('a process that is killed between any two steps of an order', () => {
  test.each([
    ['goes on at once, while the bytes are good', 13_000],
    ['goes on late, when they have expired', 40_000],
  ])('leaves an open that executes at most once, and another process %s', async (_, afterMs) => {
    const legs = await Promise.all(lifetimes.map(() => rig.newLeg()))
    const outcomes = await Promise.all(legs.map((leg, lives) => placeAndDie(leg, 'buy', lives)))
    await recover(afterMs)
    expect([await unresolved(), rig.books.reserved.size]).toEqual([0, 0])
    const seen = new Set<string>()
    for (const [lives, leg] of legs.entries()) {
      const size = rig.positionOf(leg, 'BTC')
      const ends = endsOf(leg).map(({ filled_size }) => filled_size)
      const known = outcomes[lives] === 'answered' ? 'answered' : `${ends.length} told, ${size}`
      seen.add(known)
      expect([lives, rig.accountOf(leg).orders.length, ends]).toEqual([
        lives,
        size === '0' ? 0 : 1,
        ends.length === 0 ? [] : [size],
      ])
      // The same key tells what became of it; it makes the order only if nothing was stored for it.
      const again = await asAgent(rig, leg, 'buy').placeLegOrder(order(leg, 'buy'))
      expect([lives, 'order' in again && again.order.status]).toEqual([
        lives,
        ends.length > 0 && size === '0' ? 'missed' : 'filled',
      ])
      expect([lives, rig.accountOf(leg).orders.length <= 1]).toEqual([lives, true])
    }
    expect([...seen].toSorted()).toEqual(['0 told, 0', '1 told, 0', '1 told, 0.00158', 'answered'])
  })

  test('leaves a close after which the position is never larger, and never turned', async () => {
    const closed = lifetimes.filter((lives) => lives % 2 === 0 || lives === STEPS - 1)
    const legs = await Promise.all(closed.map(() => rig.newLeg()))
    // Many at once on a busy machine may get no answer in time; each is one order of its key.
    await Promise.all(legs.map((leg) => eventually(() => asAgent(rig, leg, 'buy').placeLegOrder(order(leg, 'buy')))))
    const outcomes = await Promise.all(legs.map((leg, index) => placeAndDie(leg, 'sell', closed[index] ?? 0)))
    await recover(13_000)
    expect([await unresolved(), outcomes.at(-1)]).toEqual([0, 'answered'])
    for (const [lives, leg] of legs.entries()) {
      expect([lives, rig.accountOf(leg).orders.length <= 2]).toEqual([lives, true])
      expect(outcomes[lives] === 'answered' ? ['0'] : ['0', '0.00158']).toContain(rig.positionOf(leg, 'BTC'))
    }
  })
})
