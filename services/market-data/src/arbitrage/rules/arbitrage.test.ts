import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { matchBooks, matchPairs, type ArbitrageOpportunity } from './arbitrage.ts'
import { decimalText, toUnits, UNIT } from './decimal-units.ts'
import type { VenueBook } from './lot-ladder.ts'

const nowMs = 1_000_000
const book = (exchange: string, more: Partial<VenueBook> = {}): VenueBook => ({
  exchange,
  atMs: nowMs - 1000,
  levelsAsked: 100,
  bids: [[99, 10]],
  asks: [[101, 10]],
  takerFee: 0,
  amountStep: 1,
  costMin: null,
  ...more,
})

/** Whole prices and amounts in hundredths, so that an oracle in integers is exact. */
const side = fc.array(fc.record({ step: fc.integer({ min: 1, max: 9 }), amount: fc.integer({ min: 1, max: 8 }) }), {
  minLength: 1,
  maxLength: 4,
})
const venueBook = fc
  .record({
    mid: fc.integer({ min: 95, max: 125 }),
    asks: side,
    bids: side,
    feeBps: fc.integer({ min: 0, max: 60 }),
    step: fc.constantFrom(1, 2, 3),
  })
  .map(({ mid, asks, bids, feeBps, step }) => {
    const ladder = (levels: typeof asks, direction: 1 | -1) => {
      let price = mid
      return levels.map((level): readonly [number, number] => {
        price += direction * level.step
        return [price, level.amount / 4]
      })
    }
    return { asks: ladder(asks, 1), bids: ladder(bids, -1), takerFee: feeBps / 10_000, amountStep: step / 4 }
  })
const venues = (min: number, max: number) =>
  fc
    .array(venueBook, { minLength: min, maxLength: max })
    .map((books) => books.map((levels, index) => book(`venue${index}`, levels)))

const quarters = (amount: number) => Math.round(amount * 4)
const bpsOf = ({ takerFee }: VenueBook) => Math.round(takerFee * 10_000)

/** What each number of quarters costs (or brings) at one venue, in 1/40,000 of the quote; index is the quarters. */
function curve(of: VenueBook, what: 'buy' | 'sell'): bigint[] {
  const factor = BigInt(what === 'buy' ? 10_000 + bpsOf(of) : 10_000 - bpsOf(of))
  const totals = [0n]
  for (const [price, amount] of what === 'buy' ? of.asks : of.bids)
    for (let unit = 0; unit < quarters(amount); unit += 1) totals.push((totals.at(-1) ?? 0n) + BigInt(price) * factor)
  return totals
}

/** Best total over all ways to split k lots among the venues, by dynamic programming: no order of prices is assumed. */
function best(books: readonly VenueBook[], what: 'buy' | 'sell', lot: number): (bigint | null)[] {
  let totals: (bigint | null)[] = [0n]
  for (const one of books) {
    const own = curve(one, what)
    const next: (bigint | null)[] = []
    for (const [taken, total] of totals.entries()) {
      for (let lots = 0; lots * lot < own.length; lots += 1) {
        const value = total === null ? null : total + (own[lots * lot] ?? 0n)
        const known = next[taken + lots] ?? null
        if (value === null) continue
        if (known === null || (what === 'buy' ? value < known : value > known)) next[taken + lots] = value
      }
    }
    totals = next
  }
  return totals
}

const lcm = (a: number, b: number): number => {
  let [x, y] = [a, b]
  while (y > 0) [x, y] = [y, x % y]
  return (a / x) * b
}

/** The most that any whole number of common lots can earn, in 1/40,000 of the quote. */
function oracle(books: readonly VenueBook[]): bigint {
  const lot = books.map(({ amountStep }) => quarters(amountStep ?? 0)).reduce(lcm, 1)
  const cost = best(books, 'buy', lot)
  const proceeds = best(books, 'sell', lot)
  let most = 0n
  for (const [lots, paid] of cost.entries()) {
    const got = proceeds[lots] ?? null
    if (paid !== null && got !== null && got - paid > most) most = got - paid
  }
  return most
}

/** Venues whose best price beats another's after fees; the others must not coarsen the lot. */
function competing(books: readonly VenueBook[]): VenueBook[] {
  const ask = (one: VenueBook) => (one.asks[0]?.[0] ?? Infinity) * (10_000 + bpsOf(one))
  const bid = (one: VenueBook) => (one.bids[0]?.[0] ?? 0) * (10_000 - bpsOf(one))
  return books.filter((one) => books.some((other) => bid(other) > ask(one) || bid(one) > ask(other)))
}

const inOracleUnits = (decimal: string) => {
  const [whole = '0', fraction = ''] = decimal.replace('-', '').split('.')
  const value = (BigInt(whole) * 10n ** 12n + BigInt(fraction.padEnd(12, '0'))) * 40_000n
  expect(value % 10n ** 12n).toBe(0n)
  return value / 10n ** 12n
}

/** Walks the books again and checks that the legs could be traded at the stated cost. */
function expectExecutable({ legs, qty, cost, proceeds, profit }: ArbitrageOpportunity, books: readonly VenueBook[]) {
  const total = { buy: { qty: 0, net: 0n }, sell: { qty: 0, net: 0n } }
  for (const leg of legs) {
    const venue = books.find(({ exchange }) => exchange === leg.exchange)
    if (!venue) throw new Error(`no venue ${leg.exchange}`)
    const units = quarters(Number(leg.qty))
    expect(units % quarters(venue.amountStep ?? 1)).toBe(0)
    const net = curve(venue, leg.side)[units]
    expect(net, 'the book must hold the quantity').toBeDefined()
    total[leg.side].qty += units
    total[leg.side].net += net ?? 0n
  }
  expect(total.buy.qty).toBe(total.sell.qty)
  expect(total.buy.qty).toBe(quarters(Number(qty)))
  expect(inOracleUnits(cost)).toBe(total.buy.net)
  expect(inOracleUnits(proceeds)).toBe(total.sell.net)
  expect(inOracleUnits(profit)).toBe(total.sell.net - total.buy.net)
}

describe('the matcher against an exact oracle', () => {
  test.each([
    ['two venues', 2, 2],
    ['three to five venues', 3, 5],
  ])('%s: earns exactly what the best split of whole lots earns, and can be executed', (_, min, max) => {
    fc.assert(
      fc.property(venues(min, max), (books) => {
        const { opportunity } = matchBooks(books, nowMs, 1)
        expect(inOracleUnits(opportunity?.profit ?? '0')).toBe(oracle(competing(books)))
        if (opportunity !== null) expectExecutable(opportunity, books)
      }),
      { numRuns: 400 },
    )
  })

  test('with any equal steps the profit equals the oracle’s, and no opportunity is found if it is zero', () => {
    fc.assert(
      fc.property(venues(2, 4), fc.constantFrom(1, 2, 3, 5), (books, step) => {
        const stepped = books.map((one) => ({ ...one, amountStep: step / 4 }))
        const { opportunity, reason } = matchBooks(stepped, nowMs, 1)
        expect(inOracleUnits(opportunity?.profit ?? '0')).toBe(oracle(stepped))
        expect(opportunity === null).toBe(reason !== null)
      }),
      { numRuns: 400 },
    )
  })

  test('no trade buys and sells at the same venue, and the best pair earns no more than all venues together', () => {
    fc.assert(
      fc.property(venues(3, 4), (books) => {
        const same = books.map((one) => ({ ...one, amountStep: 0.25 }))
        const all = matchBooks(same, nowMs, 1).opportunity
        const exchanges = all?.legs.map(({ exchange }) => exchange) ?? []
        expect(new Set(exchanges).size).toBe(exchanges.length)
        const [pair] = matchPairs(same, nowMs, 1)
        expect(pair?.profit_usd ?? 0).toBeLessThanOrEqual((all?.profit_usd ?? 0) + 1e-9)
        expect(all === null).toBe(pair === undefined)
      }),
    )
  })
})

describe('an opportunity', () => {
  const cheap = book('a', {
    asks: [
      [100, 3],
      [101, 4],
    ],
    bids: [[98, 1]],
    takerFee: 0.001,
    costMin: 5,
  })
  const dear = book('b', {
    asks: [[106, 1]],
    bids: [
      [104, 2],
      [103, 9],
      [101.1, 9],
    ],
    takerFee: 0.001,
    atMs: nowMs - 3000,
  })

  test('takes both books up to the last lot that earns after fees, in exact decimals', () => {
    const { opportunity } = matchBooks([cheap, dear], nowMs, 2)
    // 3 at 100 and 4 at 101 against 2 at 104 and 5 at 103.
    expect(opportunity).toMatchObject({
      qty: '7',
      cost: '704.704',
      proceeds: '722.277',
      profit: '17.573',
      size_usd: 1409.408,
      profit_usd: 35.146,
      oldest_book_age_ms: 3000,
      skew_ms: 2000,
      legs: [
        { exchange: 'a', side: 'buy', qty: '7', notional: '704', limit_price: 101, book_age_ms: 1000 },
        { exchange: 'b', side: 'sell', qty: '7', notional: '723', limit_price: 103, book_age_ms: 3000 },
      ],
    })
    expect(opportunity?.gross_bps).toBeCloseTo(400, 9)
    expect(opportunity?.net_bps).toBeCloseTo((17.573 / 704.704) * 10_000, 9)
  })

  test.each([
    ['stale', { atMs: nowMs - 10_001 }, 'too_few_books'],
    ['skew', { atMs: nowMs - 9000 }, 'too_few_books'],
    ['skew', { atMs: nowMs + 6000 }, 'too_few_books'],
    ['crossed', { bids: [[107, 1] as const] }, 'too_few_books'],
    ['one_sided', { asks: [] }, 'too_few_books'],
  ])('a %s book takes no part', (why, change, reason) => {
    const fresh = { ...cheap, atMs: nowMs }
    const { opportunity, ...rest } = matchBooks([fresh, { ...dear, ...change }], nowMs, 1)
    expect(opportunity).toBe(null)
    expect(rest).toEqual({ reason, rejected: [{ exchange: 'b', reason: why }] })
  })

  test('does not exist if fees exceed the difference, or if a lot or the minimum notional is too large', () => {
    expect(matchBooks([cheap, { ...dear, takerFee: 0.05 }], nowMs, 1).reason).toBe('no_edge')
    expect(matchBooks([cheap, { ...dear, amountStep: 20 }], nowMs, 1).reason).toBe('below_lot')
    expect(matchBooks([{ ...cheap, costMin: 1000 }, dear], nowMs, 1).reason).toBe('below_min_notional')
    expect(matchBooks([cheap], nowMs, 1).reason).toBe('too_few_books')
    expect(matchBooks([], nowMs, 1).reason).toBe('too_few_books')
  })

  test('leaves out a venue below its minimum notional, and the other two still trade', () => {
    const tiny = book('c', { asks: [[99, 1]], bids: [[90, 1]], costMin: 500 })
    const { opportunity } = matchBooks([cheap, dear, tiny], nowMs, 1)
    expect(opportunity?.legs.map(({ exchange }) => exchange)).toEqual(['a', 'b'])
  })

  test('prices a lot that spans two levels as the sum of its parts', () => {
    const thin = book('a', {
      asks: [
        [100, 0.5],
        [102, 0.5],
      ],
    })
    const bid = book('b', { asks: [[120, 1]], bids: [[103, 1]] })
    expect(matchBooks([thin, bid], nowMs, 1).opportunity).toMatchObject({ qty: '1', cost: '101', profit: '2' })
  })
})

describe('decimal units', () => {
  test('read a number by its shortest decimal form and write it without loss', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n }), fc.integer({ min: 0, max: 12 }), (digits, scale) => {
        const number = Number(decimalText(digits, scale))
        const units = toUnits(number)
        expect(units).toBe((digits * UNIT) / 10n ** BigInt(scale))
        expect(Number(decimalText(units ?? -1n, 18))).toBe(number)
      }),
    )
    expect(toUnits(1e-8)).toBe(10n ** 10n)
    expect(toUnits(1e21)).toBe(10n ** 39n)
    for (const bad of [-1, NaN, Infinity]) expect(toUnits(bad)).toBe(null)
    expect(decimalText(-1500n, 3)).toBe('-1.5')
  })
})
