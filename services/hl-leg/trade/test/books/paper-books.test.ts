import { opened, refusalOf } from '@svc/testing'
import { expect, test } from 'vitest'
import { fillPaper } from '#books/fill-paper.ts'
import { fundBooks } from '#books/jobs/fund-books.ts'
import { readPaperScene } from '#books/venue-scene.ts'
import { owner, startTradeRig } from '../rig.ts'
import { orderOf, type Fill } from './book-rig.ts'

const rig = opened(() => startTradeRig())

async function fill(ownerId: number, { market = 'hl:BTC', ...order }: Fill): Promise<void> {
  rig.advance(2_000)
  const scene = await readPaperScene(rig.context, market)
  await rig.pool.transaction((tx) => fillPaper(rig.context, tx, orderOf(ownerId, { ...order, scene })))
}

/** Id of the oldest book of an owner. */
const bookOf = async (ownerId: number) => (await rig.as(owner(ownerId)).listPaperBooks({})).items[0]?.book ?? ''

test('an owner creates a book once per key, trades in it, and reads equity, positions, fills, funding and the series', async () => {
  const as = rig.as(owner(1), { idempotencyKey: 'first' })
  const input = { name: 'Momentum on BTC', start_usdc: '10000' }
  const made = await as.createPaperBook(input)
  expect(made).toEqual({
    ok: true,
    book: expect.stringMatching(/^pbk_[0-9a-f]{32}$/),
    name: 'Momentum on BTC',
    start_usdc: '10000',
    cash_usdc: '10000',
    equity_usdc: '10000',
    fees_paid_usdc: '0',
    funding_usdc: '0',
    max_drawdown_bps: 0,
    marked_at: rig.clock.now().toISOString(),
    created_at: rig.clock.now().toISOString(),
  })
  expect(await as.createPaperBook(input)).toEqual(made)
  await fill(1, { side: 'buy', size: '0.1' })
  await fill(1, { side: 'sell', size: '10', market: 'hl:xyz:TSLA' })
  rig.advance(3_610_000)
  await rig.run('markBooks')
  await rig.run('fundBooks')
  const { book } = made
  const read = await rig.as(owner(1)).readPaperBook({ book })
  expect(read).toMatchObject({
    book,
    start_usdc: '10000',
    cash_usdc: '7248.436188',
    equity_usdc: '9993.436188',
    fees_paid_usdc: '5.6295',
    funding_usdc: '-0.034312',
    max_drawdown_bps: 6,
    next_cursor: null,
  })
  expect(read.positions).toMatchObject([
    { market: 'hl:BTC', side: 'long', size: '0.1', entry_price: '60006', mark_price: '60000' },
    { market: 'hl:xyz:TSLA', side: 'short', size: '10', unrealized_pnl_usdc: '-0.3', notional_usdc: '3255' },
  ])
  expect(read.fills.map(({ market, side, size }) => [market, side, size])).toEqual([
    ['hl:xyz:TSLA', 'sell', '10'],
    ['hl:BTC', 'buy', '0.1'],
  ])
  expect(read.funding.map(({ market, usdc }) => [market, usdc])).toEqual([
    ['hl:xyz:TSLA', '0.040688'],
    ['hl:BTC', '-0.075'],
  ])
  expect(read.equity_series.map(({ cause }) => cause)).toEqual(['hour', 'fill', 'fill', 'start'])
  const { items } = await rig.as(owner(1)).listPaperBooks({})
  expect(items).toMatchObject([{ book, equity_usdc: read.equity_usdc }])
})

test('the entries of a book come in pages that lose and repeat none, in the order of their count', async () => {
  const book = await bookOf(1)
  const whole = await rig.as(owner(1)).readPaperBook({ book })
  const seqs = [...whole.fills, ...whole.funding, ...whole.equity_series]
    .map(({ seq }) => seq)
    .toSorted((a, b) => b - a)
  const paged: number[] = []
  let cursor: string | undefined
  do {
    const page = await rig.as(owner(1)).readPaperBook({ book, limit: 3, ...(cursor === undefined ? {} : { cursor }) })
    const entries = [...page.fills, ...page.funding, ...page.equity_series].map(({ seq }) => seq)
    expect(entries.length).toBeLessThanOrEqual(3)
    paged.push(...entries.toSorted((a, b) => b - a))
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined)
  expect(paged).toEqual(seqs)
  const invalid = await refusalOf(rig.as(owner(1)).readPaperBook({ book, cursor: 'bm90IG9uZQ' }))
  expect(invalid).toMatchObject({ status: 400, errors: [{ pointer: '/query/cursor' }] })
})

test('nobody sees a book of somebody else', async () => {
  const book = await bookOf(1)
  expect(await refusalOf(rig.as(owner(3)).readPaperBook({ book }))).toMatchObject({
    status: 404,
    code: 'paper_book_unknown',
  })
  expect((await rig.as(owner(3)).listPaperBooks({})).items).toEqual([])
})

test('an owner has at most ten books, whatever arrives at the same time', async () => {
  const made = await Promise.allSettled(
    Array.from({ length: 14 }, (_, n) => rig.as(owner(5)).createPaperBook({ name: `Book ${n}`, start_usdc: '100' })),
  )
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
  expect(await refusalOf(rig.as(owner(5)).createPaperBook({ name: 'One more', start_usdc: '100' }))).toMatchObject({
    status: 409,
    code: 'paper_books_full',
  })
  expect((await rig.as(owner(5)).listPaperBooks({})).items).toHaveLength(10)
})

test.each([
  ['an empty name', { name: ' ', start_usdc: '100' }],
  ['a long name', { name: 'x'.repeat(61), start_usdc: '100' }],
  ['a name with a line break', { name: 'a\nb', start_usdc: '100' }],
  ['less than 100 USDC', { name: 'Book', start_usdc: '99.999999' }],
  ['more than a million', { name: 'Book', start_usdc: '1000000.000001' }],
  ['no amount', { name: 'Book', start_usdc: '1e3' }],
] as const)('a book with %s is refused', async (_, input) => {
  expect(await refusalOf(rig.as(owner(7)).createPaperBook(input))).toMatchObject({ status: 400 })
})

test('two processes of the service fund an hour once', async () => {
  const other = await rig.second()
  await rig.as(owner(9)).createPaperBook({ name: 'Twice', start_usdc: '10000' })
  await fill(9, { side: 'buy', size: '0.1' })
  rig.advance(3_610_000)
  await Promise.all(
    [rig.context, other, rig.context, other].map((context) => fundBooks(context)(AbortSignal.timeout(600_000))),
  )
  const book = await bookOf(9)
  expect((await rig.as(owner(9)).readPaperBook({ book })).funding).toHaveLength(1)
})
