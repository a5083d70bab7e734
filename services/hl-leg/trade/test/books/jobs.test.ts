import { sql } from '@svc/postgres'
import { withClient } from '@svc/servers'
import { opened } from '@svc/testing'
import { beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { paperPositions } from '#books/paper-positions.ts'
import { forgetHourly } from '#books/store/marks.ts'
import { counted, setMark, startBookRig } from './book-rig.ts'
import { rowsOf } from './naive-book.ts'
import { fundAll } from './script.ts'

const rig = opened(startBookRig)
let owner = 1
let book = ''
beforeEach(async () => {
  owner += 2
  rig.venue.control('reset')
  rig.toHour(600_000)
  await fundAll(rig)
  book = (await rig.book(owner)).book
})

const hoursOf = async () => (await rowsOf(rig.pool, book)).funding.map(({ hour }) => hour.slice(11, 13))

describe('funding of an hour', () => {
  test('is − size × oracle × published rate, stamped with the hour, in cash and funding of the book', async () => {
    await rig.fill(owner, { side: 'buy', size: '0.1' })
    rig.toHour()
    rig.venue.control('funding', { coin: 'BTC', rate: '0.0001' })
    setMark(rig.venue, 'BTC', '61000')
    const { nextAt } = await rig.run('fundBooks')
    const { funding, book: stored } = await rowsOf(rig.pool, book)
    expect(funding).toMatchObject([{ coin: 'BTC', size: '0.1', oracle_price: '61000', rate: '0.0001', usdc: '-0.61' }])
    expect(stored.funding_usdc).toBe('-0.61')
    expect(funding[0]?.hour).toMatch(/:00:00\.000Z$/)
    // The next hour, with time for the venue to publish it.
    expect(nextAt?.getTime()).toBe(Date.parse(funding[0]?.hour ?? '') + 3_605_000)
    await rig.run('fundBooks')
    expect((await rowsOf(rig.pool, book)).funding).toHaveLength(1)
  })

  test('is owed for the position at the full hour: one opened after it owes nothing, one closed after it still does', async () => {
    await rig.fill(owner, { side: 'sell', size: '0.1' })
    rig.toHour(20_000)
    const hour = rig.clock.now().toISOString().slice(11, 13)
    await rig.fill(owner, { side: 'buy', size: '0.1', reduceOnly: true })
    rig.advance(2_000)
    await rig.fill(owner, { side: 'buy', size: '0.3' })
    await rig.fill(owner, { side: 'buy', size: '1', market: 'hl:ETH' })
    await fundAll(rig)
    const { funding } = await rowsOf(rig.pool, book)
    expect(funding.map(({ coin, size }) => [coin, size])).toEqual([['BTC', '-0.1']])
    expect(funding[0]?.hour.slice(11, 13)).toBe(hour)
  })

  test('is made up after an outage for each hour, once, and a position that was flat meanwhile owes nothing for then', async () => {
    await rig.fill(owner, { side: 'buy', size: '0.1' })
    rig.toHour()
    rig.toHour()
    await rig.fill(owner, { side: 'sell', size: '0.1', reduceOnly: true })
    rig.toHour()
    rig.toHour()
    await rig.fill(owner, { side: 'buy', size: '0.2' })
    rig.toHour()
    await fundAll(rig)
    const { funding } = await rowsOf(rig.pool, book)
    const first = Date.parse(funding[0]?.hour ?? '')
    expect(funding.map(({ hour, size }) => [(Date.parse(hour) - first) / 3_600_000, size])).toEqual([
      [0, '0.1'],
      [1, '0.1'],
      [4, '0.2'],
    ])
  })

  test('waits while the venue publishes no rate, and keeps the oracle price that was read first', async () => {
    await rig.fill(owner, { side: 'buy', size: '0.1' })
    rig.toHour()
    rig.venue.control('fault', { kind: 'status500', endpoint: 'info', type: 'fundingHistory', count: 1 })
    const { nextAt } = await rig.run('fundBooks')
    expect(await hoursOf()).toEqual([])
    expect(nextAt?.getTime()).toBe(rig.clock.now().getTime() + 30_000)
    setMark(rig.venue, 'BTC', '50000')
    rig.advance(120_000)
    await rig.run('fundBooks')
    expect((await rowsOf(rig.pool, book)).funding).toMatchObject([{ oracle_price: '60000' }])
  })

  test('is paid once by two processes that run at the same time', async () => {
    await rig.fill(owner, { side: 'buy', size: '0.1' })
    await rig.fill(owner, { side: 'buy', size: '1', market: 'hl:ETH' })
    for (let hour = 0; hour < 4; hour += 1) rig.toHour()
    await Promise.all(Array.from({ length: 4 }, () => rig.run('fundBooks')))
    await fundAll(rig)
    const { funding, book: stored } = await rowsOf(rig.pool, book)
    expect(funding).toHaveLength(8)
    const sum = funding.reduce((total, { usdc }) => total + Math.round(Number(usdc) * 1e6), 0)
    expect(Math.round(Number(stored.funding_usdc) * 1e6)).toBe(sum)
  })

  test('waits for no fill, and no fill is lost between: both at the same time add up', async () => {
    await rig.fill(owner, { side: 'buy', size: '0.1' })
    rig.toHour()
    await Promise.all([
      ...Array.from({ length: 6 }, () => rig.fill(owner, { side: 'buy', size: '0.01' })),
      rig.run('fundBooks'),
      rig.run('markBooks'),
    ])
    const { funding, fills, book: stored } = await rowsOf(rig.pool, book)
    expect(funding.map(({ size }) => size)).toEqual(['0.1'])
    expect(fills).toHaveLength(7)
    const spent = fills.reduce((total, fill) => total + Number(fill.notional_usdc) + Number(fill.fee_usdc), 0)
    expect(Number(stored.cash_usdc)).toBeCloseTo(10_000 - spent + Number(stored.funding_usdc), 6)
  })
})

describe('marking books', () => {
  test('keeps the last mark and liquidates nothing while the venue is away or its prices are old', async () => {
    await rig.fill(owner, { side: 'buy', size: '6' })
    setMark(rig.venue, 'BTC', '50000')
    rig.advance(61_000)
    rig.venue.control('fault', { kind: 'status500', endpoint: 'info', type: 'metaAndAssetCtxs', count: 9 })
    await expect(rig.run('markBooks')).rejects.toThrow()
    expect((await rowsOf(rig.pool, book)).positions).toMatchObject([{ size: '6', mark_price: '60000' }])
    rig.venue.control('clear-faults')
    rig.advance(61_000)
    expect(await rig.run('markBooks')).toMatchObject({ liquidated: 1 })
    const { fills, positions, book: stored, equity } = await rowsOf(rig.pool, book)
    expect(positions).toEqual([])
    expect(fills.at(-1)).toMatchObject({ kind: 'liquidation', side: 'sell', size: '6', equity_usdc: '0' })
    expect(Number(fills.at(-1)?.covered_usdc)).toBeGreaterThan(0)
    expect(stored).toMatchObject({ cash_usdc: '0', max_drawdown_bps: 10_000 })
    expect(equity.at(-1)).toMatchObject({ cause: 'liquidation', equity_usdc: '0', marks: {} })
  })

  test('liquidates a book just below its liquidation price, and not just above it', async () => {
    await rig.fill(owner, { side: 'buy', size: '6' })
    await rig.fill(owner, { side: 'sell', size: '10', market: 'hl:SOL' })
    const [shown] = await paperPositions(rig.context, owner)
    const price = Number(shown?.positions.find(({ market }) => market === 'hl:BTC')?.liquidation_price)
    for (const [mark, liquidated] of [
      [price + 1, 0],
      [price - 1, 1],
    ] as const) {
      setMark(rig.venue, 'BTC', String(mark))
      rig.advance(61_000)
      expect(await rig.run('markBooks')).toMatchObject({ liquidated })
    }
    expect((await rowsOf(rig.pool, book)).fills.map(({ kind, coin }) => [kind, coin]).slice(2)).toEqual([
      ['liquidation', 'BTC'],
      ['liquidation', 'SOL'],
    ])
  })

  test('liquidates at the mark where the book of the venue cannot be read', async () => {
    await rig.fill(owner, { side: 'buy', size: '6' })
    setMark(rig.venue, 'BTC', '58900')
    rig.advance(61_000)
    rig.venue.control('fault', { kind: 'status500', endpoint: 'info', type: 'l2Book', count: 9 })
    await rig.run('markBooks')
    expect((await rowsOf(rig.pool, book)).fills.at(-1)).toMatchObject({ kind: 'liquidation', average_price: '58900' })
    rig.venue.control('clear-faults')
  })

  test('writes one row of the series an hour, and none for a book without a position', async () => {
    const flat = (await rig.book(owner + 50_000)).book
    await rig.fill(owner, { side: 'buy', size: '0.1' })
    for (let hour = 0; hour < 3; hour += 1) {
      rig.toHour()
      await rig.run('markBooks')
      rig.advance(61_000)
      await rig.run('markBooks')
    }
    const causes = async (name: string) => (await rowsOf(rig.pool, name)).equity.map(({ cause }) => cause)
    expect(await causes(book)).toEqual(['start', 'fill', 'hour', 'hour', 'hour'])
    expect(await causes(flat)).toEqual(['start'])
  })

  test('hourly rows are forgotten after 400 days, rows of fills never', async () => {
    await rig.fill(owner, { side: 'buy', size: '0.1' })
    rig.toHour()
    await rig.run('markBooks')
    await rig.fill(owner, { side: 'sell', size: '0.1' })
    await fundAll(rig)
    await forgetHourly(rig.pool, new Date(rig.clock.now().getTime() + 401 * 86_400_000), 10_000)
    const { n } = await rig.pool.one(sql.type(z.object({ n: z.number() }))`
      SELECT count(*)::int AS n FROM paper_equity WHERE cause = 'hour'`)
    expect(n).toBe(0)
    expect((await rowsOf(rig.pool, book)).equity.map(({ cause }) => cause)).toEqual(['start', 'fill', 'fill'])
  })
})

const COINS = ['BTC', 'ETH', 'SOL']
/** Stores so many books with a position in each market, opened an hour ago. */
const seed = (books: number, from: number) =>
  withClient(rig.database.superuserUrl, async (admin) => {
    const at = rig.clock.now().toISOString()
    await admin.query(
      `INSERT INTO hl_trade.paper_book (book, owner_id, name, start_usdc, cash_usdc, peak_usdc, seq, has_positions, charted_at, created_at)
       SELECT 'pbk_' || lpad(to_hex($1 + n), 32, '0'), $1 + n, 'Many', 10000, 10000, 10000, 1, true, $3, $3
       FROM generate_series(1, $2::int) AS n`,
      [from, books, at],
    )
    await admin.query(
      `INSERT INTO hl_trade.paper_position (book_id, coin, size, entry_price, mark_price, max_leverage, marked_at, changed_at, changed_hour, funded_to)
       SELECT id, coin, 0.1, 100, 100, 10, $2, $2, date_trunc('hour', $2::timestamptz), date_trunc('hour', $2::timestamptz)
       FROM hl_trade.paper_book, unnest($1::text[]) AS coin WHERE owner_id > $3 AND owner_id <= $3 + $4`,
      [COINS, at, from, books],
    )
  })
const nameOf = (owner: number) => `pbk_${owner.toString(16).padStart(32, '0')}`

/** Marks and funds all books for the next hour; returns the statements that it took. */
async function work(): Promise<number> {
  rig.toHour()
  const { counts, context } = counted(rig.context)
  await rig.run('markBooks', context)
  await rig.run('fundBooks', context)
  return counts.statements
}

test('two hundred books are marked and funded with as many statements as two, each exactly', async () => {
  await seed(2, 1_000)
  const few = await work()
  await seed(198, 2_000)
  setMark(rig.venue, 'BTC', '61000')
  expect(await work()).toBe(few)
  for (const owner of [1_001, 1_002, 2_001, 2_100, 2_198]) {
    const { book, positions, funding, equity } = await rowsOf(rig.pool, nameOf(owner))
    expect(positions.map(({ mark_price }) => mark_price)).toEqual(['61000', '3000', '150'])
    const hours = owner < 2_000 ? 2 : 1
    expect(funding).toHaveLength(3 * hours)
    expect(funding.slice(-3).map(({ usdc }) => usdc)).toEqual(['-0.07625', '-0.00375', '-0.000188'])
    // 10,000 and 0.1 of each market, as no fill has taken their price from the cash.
    expect(equity.at(-1)).toMatchObject({ cause: 'hour', marks: { BTC: '61000', ETH: '3000', SOL: '150' } })
    expect(Number(equity.at(-1)?.equity_usdc)).toBeCloseTo(16_415 + (owner < 2_000 ? -0.078938 : 0), 6)
    expect(Number(book.cash_usdc)).toBeCloseTo(10_000 + Number(book.funding_usdc), 6)
    expect(book.seq).toBe(1 + funding.length + equity.length)
  }
})
