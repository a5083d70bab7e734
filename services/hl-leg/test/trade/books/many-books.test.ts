import { withClient } from '@svc/servers'
import { opened } from '@svc/testing'
import { expect, test } from 'vitest'
import { counted, setMark, startBookRig } from './book-rig.ts'
import { rowsOf } from './naive-book.ts'

const rig = opened(startBookRig)
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
