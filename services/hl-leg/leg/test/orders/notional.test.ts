import { exact } from '@svc/hyperliquid/rounding'
import { RemoteRefusal } from '@svc/service'
import { opened } from '@svc/testing'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { asAgent, asOwner, nameOf, startOrderRig, type TestLeg } from './order-rig.ts'

const rig = opened(() => startOrderRig())

afterEach(() => {
  rig.books.before = null
})

const RUNS = { numRuns: 25 }
const side = fc.constantFrom('buy' as const, 'sell' as const)
/** A book by its best bid and spread, in whole dollars, which lie on the grid of the market. */
interface Shown {
  readonly bid: number
  readonly spread: number
}
const shown: fc.Arbitrary<Shown> = fc.record({
  bid: fc.integer({ min: 59_000, max: 61_000 }),
  spread: fc.integer({ min: 1, max: 300 }),
})
const market = fc.record({
  book: shown,
  mark: fc.integer({ min: 59_500, max: 60_500 }),
  side,
  amount: fc.integer({ min: 1_500, max: 20_000 }).map((cents) => exact(cents).div(100).toFixed()),
  band: fc.constantFrom('0.01', '0.03', '0.05'),
})
type Case = typeof market extends fc.Arbitrary<infer T> ? T : never

function show({ bid, spread }: Shown): void {
  const level = (px: number, sz: string) => ({ px: String(px), sz })
  const ask = bid + spread
  rig.venue.control('book', {
    coin: 'BTC',
    policy: 'taken',
    bids: [level(bid, '0.001'), level(bid - 100, '1')],
    asks: [level(ask, '0.001'), level(ask + 100, '1')],
  })
}

/** Prepares the market and asks for an open; null if it is refused, which no property is about. */
async function openIn(leg: TestLeg, { book, mark, side: direction, amount, band }: Case) {
  rig.venue.control('mark', { coin: 'BTC', price: String(mark) })
  show(book)
  // Marks that are stored from a market of before are too old then.
  rig.advance(16_000)
  const asked = { public_id: leg.publicId, market: 'hl:BTC', side: direction, amount_usdc: amount, max_slippage: band }
  try {
    const answer = await asAgent(rig, leg, 'one').placeLegOrder(asked)
    return 'order' in answer ? answer.order : null
  } catch (error) {
    if (error instanceof RemoteRefusal) return null
    throw error
  }
}

/** What mandates reserved for the only order of a leg, and what it was told that the order filled. */
function countedOf({ publicId }: TestLeg) {
  const judged = rig.books.judged.find(({ public_id }) => public_id === publicId)
  if (judged === undefined) throw new Error('nothing was judged')
  return { judged: judged.notional_usdc, filled: rig.books.ended.get(nameOf(judged))?.notional_usdc ?? '0' }
}

describe('an open by amount', () => {
  test('in a book that does not move fills at most what was judged, which is at most its amount, on either side', async () => {
    let fills = 0
    await fc.assert(
      fc.asyncProperty(market, async (given) => {
        const leg = await rig.newLeg({ usdc: '5000', dailyCap: '10000' })
        const order = await openIn(leg, given)
        if (order === null) return
        const { judged, filled } = countedOf(leg)
        expect(exact(judged).lte(given.amount)).toBe(true)
        expect(exact(filled).lte(judged)).toBe(true)
        expect(exact(order.by_amount?.filled_usdc ?? '0').lte(given.amount)).toBe(true)
        expect(exact(order.by_amount?.filled_usdc ?? '0').gte(filled)).toBe(true)
        fills += Number(exact(filled).gt(0))
      }),
      RUNS,
    )
    expect(fills).toBeGreaterThan(0)
  })

  test('in a book that moves after it was read, a buy fills at most what was judged, a sell at most by as much more as the bid rose', async () => {
    let fills = 0
    await fc.assert(
      fc.asyncProperty(market, shown, async (given, moved) => {
        const leg = await rig.newLeg({ usdc: '5000', dailyCap: '10000' })
        rig.books.before = (operation) => {
          if (operation === 'judge') show(moved)
        }
        const order = await openIn(leg, given)
        rig.books.before = null
        if (order === null) return
        const { judged, filled } = countedOf(leg)
        const reference = exact(order.reference_price ?? 1)
        const high = given.side === 'buy' || reference.gt(moved.bid) ? reference : exact(moved.bid)
        // A quotient of the two prices would be rounded.
        expect(exact(filled).times(reference).lte(exact(judged).times(high))).toBe(true)
        fills += Number(exact(filled).gt(0))
      }),
      RUNS,
    )
    expect(fills).toBeGreaterThan(0)
  })

  test('that sells is as large as its amount at the bid, where its worst price lies below', async () => {
    const leg = await rig.newLeg({ usdc: '5000' })
    const given = {
      mark: 60_000,
      book: { bid: 59_994, spread: 12 },
      side: 'sell',
      amount: '100',
      band: '0.05',
    } as const
    expect(await openIn(leg, given)).toMatchObject({
      size: '0.00166',
      worst_price: '57000',
      reference_price: '60000',
      by_amount: { asked_usdc: '100', filled_usdc: '99.6' },
    })
    expect(countedOf(leg)).toEqual({ judged: '99.6', filled: '99.52404' })
  })
})

test('a close by amount is converted at the reference price of its side, and never exceeds the position', async () => {
  const leg = await rig.newLeg({ usdc: '5000' })
  const given = { mark: 60_000, book: { bid: 59_994, spread: 12 }, side: 'buy', amount: '100', band: '0.05' } as const
  await openIn(leg, given)
  show(given.book)
  const close = (amount_usdc: string) =>
    asOwner(rig, leg).placeLegOrder({ public_id: leg.publicId, market: 'hl:BTC', side: 'sell', amount_usdc })
  expect(await close('15')).toMatchObject({ order: { size: '0.00025', reference_price: '60000' } })
  expect(await close('1000')).toMatchObject({ order: { size: '0.00133', filled_size: '0.00133' } })
  expect(rig.positionOf(leg, 'BTC')).toBe('0')
})
