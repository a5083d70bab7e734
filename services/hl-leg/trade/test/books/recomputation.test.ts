import { opened } from '@svc/testing'
import { Decimal } from 'decimal.js'
import { expect, test } from 'vitest'
import { startBookRig, type BookRig } from './book-rig.ts'
import { addUp, fallOf, fundingDue, marginOf, rowsOf, worthOf, type Rows } from './naive-book.ts'
import { COINS, doStep, publishedBy, scriptOf, type Published, type Step } from './script.ts'

const rigs = [opened(startBookRig), opened(startBookRig)] as const
const STARTS = ['150', '1000', '20000', '1000000']
const LEVERAGE: Readonly<Record<string, number>> = { BTC: 40, ETH: 25, SOL: 20, 'xyz:TSLA': 10 }
const FEE = (coin: string) => (coin.includes(':') ? '0.0009' : '0.00045')
const isLong = process.env['TEST_LONG'] === '1'
const seeds = isLong ? Array.from({ length: 8 }, (_, n) => n + 1) : [20261122]
const length = isLong ? 250 : 70

const leverageOf = (coin: string) => LEVERAGE[coin] ?? 1
const markIn = (marks: Readonly<Record<string, string>>) => (coin: string) => marks[coin] ?? '0'
const text = (value: Decimal.Value) => new Decimal(value).toDecimalPlaces(6).toFixed()

/** What a watcher of a script saw of one book. */
interface Seen {
  readonly name: string
  /** Mark prices that the book was last valued at. */
  marks: Record<string, string>
  readonly path: Decimal[]
}

/** Owner of a book of a script; every script has its own. */
const ownerOf = (seed: number, book: number) => seed * 100 + book + 1
type Day = Awaited<ReturnType<typeof watched>>

/** Runs a script and judges every step of it with the second implementation. */
async function watched(rig: BookRig, script: readonly Step[], seed: number) {
  const seen: Seen[] = []
  const fromMs = rig.clock.now().getTime()
  for (const [index, start] of STARTS.entries())
    seen.push({ name: (await rig.book(ownerOf(seed, index), start)).book, marks: {}, path: [new Decimal(start)] })
  const funded: Published[] = []
  let liquidated = 0
  for (const [index, step] of script.entries()) {
    const before = step.kind === 'mark' ? await Promise.all(seen.map(({ name }) => rowsOf(rig.pool, name))) : []
    const done = await doStep(rig, step, { orderId: `s${seed}-${index}`, ownerOf: (book) => ownerOf(seed, book) })
    const now = publishedBy(rig)
    if (step.kind === 'fund') funded.push(now)
    if (step.kind === 'fill' && done) await judgeFill(rig, seen[step.book] as Seen, step.coin, now)
    if (step.kind === 'mark')
      for (const [book, one] of seen.entries()) liquidated += await judgeMark(rig, one, before[book] as Rows, now)
  }
  return { seen, funded, liquidated, fromMs }
}

/** Runs a script again and returns the ids of its books. */
async function replayed(rig: BookRig, script: readonly Step[], seed: number): Promise<readonly string[]> {
  const names: string[] = []
  for (const [index, start] of STARTS.entries()) names.push((await rig.book(ownerOf(seed, index), start)).book)
  for (const [index, step] of script.entries())
    await doStep(rig, step, { orderId: `s${seed}-${index}`, ownerOf: (book) => ownerOf(seed, book) })
  return names
}

/** A fill is what the book of the venue offered, at the fee of its dex; the equity after it is what its rows add up to. */
async function judgeFill(rig: BookRig, one: Seen, coin: string, now: Published): Promise<void> {
  const rows = await rowsOf(rig.pool, one.name)
  const fill = rows.fills.at(-1)
  if (fill === undefined || fill.size === '0') return
  const market = rig.venue.state.dexes
    .flatMap((dex) =>
      dex.markets.map((each) => ({ each, name: dex.name === '' ? each.name : `${dex.name}:${each.name}` })),
    )
    .find(({ name }) => name === coin)?.each
  let left = new Decimal(fill.size)
  let cost = new Decimal(0)
  for (const { px, sz } of (fill.side === 'buy' ? market?.asks : market?.bids) ?? []) {
    const part = Decimal.min(left, sz)
    cost = cost.plus(part.times(px))
    left = left.minus(part)
  }
  expect([left.toFixed(), cost.toFixed()]).toEqual(['0', fill.notional_usdc])
  expect(fill.fee_usdc).toBe(cost.times(FEE(coin)).toDecimalPlaces(6, Decimal.ROUND_CEIL).toFixed())
  one.marks = { ...one.marks, [coin]: now.marks[coin] ?? '0' }
  const worth = worthOf(addUp(rows), markIn(one.marks))
  expect(fill.equity_usdc).toBe(text(worth))
  one.path.push(worth)
}

/** A book below its maintenance margin is closed whole and owes nothing; any other is left alone. Returns 1 if it was closed. */
async function judgeMark(rig: BookRig, one: Seen, before: Rows, now: Published): Promise<number> {
  const rows = await rowsOf(rig.pool, one.name)
  const naive = addUp(before)
  if ([...naive.sizes.values()].every((size) => size.isZero())) return 0
  const worth = worthOf(naive, markIn(now.marks))
  one.marks = { ...now.marks }
  one.path.push(new Decimal(text(worth)))
  const closes = rows.fills.slice(before.fills.length)
  if (worth.gte(marginOf(naive, markIn(now.marks), leverageOf))) {
    expect(closes).toEqual([])
    const hour = new Date(now.atMs).toISOString().slice(0, 13)
    expect(rows.equity.some(({ at }) => at.startsWith(hour))).toBe(true)
    return 0
  }
  expect(closes.map(({ kind }) => kind)).toEqual(closes.map(() => 'liquidation'))
  for (const { seq } of closes) one.path.push(worthOf(addUp(rows, seq), markIn(now.marks)))
  expect([...addUp(rows).sizes.values()].every((size) => size.isZero())).toBe(true)
  expect(addUp(rows).cash.gte(0)).toBe(true)
  expect(closes.filter(({ covered_usdc }) => covered_usdc !== '0').length).toBeLessThanOrEqual(1)
  return 1
}

/** Everything that is stored of a book follows from its fills and its funding. */
function judgeBook(rows: Rows, one: Seen, { funded, fromMs }: Pick<Day, 'funded' | 'fromMs'>): void {
  const naive = addUp(rows)
  const { book } = rows
  expect([book.cash_usdc, book.fees_usdc, book.funding_usdc]).toEqual([
    text(naive.cash),
    text(naive.fees),
    text(naive.funding),
  ])
  const held = [...naive.sizes].filter(([, size]) => !size.isZero()).toSorted(([a], [b]) => (a < b ? -1 : 1))
  expect(rows.positions.map(({ coin, size }) => [coin, size])).toEqual(
    held.map(([coin, size]) => [coin, size.toFixed()]),
  )
  for (const { coin, entry_price } of rows.positions)
    expect(
      new Decimal(entry_price ?? 0)
        .div(naive.entries.get(coin) ?? 1)
        .minus(1)
        .abs()
        .lt('1e-9'),
    ).toBe(true)
  for (const { seq, equity_usdc, marks } of rows.equity) {
    const then = addUp(rows, seq)
    expect(equity_usdc).toBe(text(worthOf(then, markIn(marks))))
    const coins = [...then.sizes].filter(([, size]) => !size.isZero()).map(([coin]) => coin)
    expect(Object.keys(marks).toSorted()).toEqual(coins.toSorted())
  }
  const numbers = [...rows.fills, ...rows.funding, ...rows.equity].map(({ seq }) => seq).toSorted((a, b) => a - b)
  expect(numbers).toEqual(numbers.map((_, index) => index + 1))
  expect(numbers.at(-1)).toBe(book.seq)
  expect({ peak: book.peak_usdc, bps: book.max_drawdown_bps }).toEqual(fallOf(one.path))
  const priceOf = (coin: string, hour: number) => {
    const at = funded.find(({ atMs }) => atMs >= hour + 5_000)
    return { oracle: at?.marks[coin] ?? '0', rate: at?.rates[coin] ?? '0' }
  }
  const to = Math.max(0, ...funded.map(({ atMs }) => atMs - 5_000))
  const due = fundingDue(rows, { from: fromMs, to }, priceOf)
  const paid = rows.funding.map(({ coin, hour, size, usdc }) => ({ coin, hour, size, usdc }))
  const inOrder = (list: typeof due) => list.toSorted((a, b) => (a.hour + a.coin < b.hour + b.coin ? -1 : 1))
  expect(inOrder(paid)).toEqual(inOrder(due))
}

test.each(seeds)(
  'a scripted day is what its fills and funding add up to, and the same day is the same book, row for row (seed %i)',
  async (seed) => {
    const long = { kind: 'fill', book: 1, coin: 'BTC', side: 'buy', amountUsdc: '20000', reduceOnly: false } as const
    const script: readonly Step[] = [
      { afterMs: 61_000, ...long },
      { afterMs: 61_000, kind: 'price', coin: 'BTC', factor: '0.955' },
      { afterMs: 61_000, kind: 'mark' },
      ...scriptOf(seed, length, STARTS),
      { kind: 'mark', afterMs: 61_000 },
      { kind: 'fund', afterMs: 3_700_000 },
    ]
    const [day, names] = await Promise.all([watched(rigs[0], script, seed), replayed(rigs[1], script, seed)])
    const first = await Promise.all(day.seen.map(({ name }) => rowsOf(rigs[0].pool, name)))
    const second = await Promise.all(names.map((name) => rowsOf(rigs[1].pool, name)))
    for (const [index, rows] of first.entries()) judgeBook(rows, day.seen[index] as Seen, day)
    expect(second).toEqual(first)
    if (isLong) return
    // This day has what it is about: all markets, liquidations, funding both ways.
    expect(new Set(first.flatMap(({ fills }) => fills.map(({ coin }) => coin))).size).toBe(COINS.length)
    expect(day.liquidated).toBeGreaterThan(0)
    expect(new Set(first.flatMap(({ funding }) => funding.map(({ usdc }) => usdc.startsWith('-')))).size).toBe(2)
  },
)
