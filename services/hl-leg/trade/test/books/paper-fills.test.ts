import { RefusalError } from '@svc/contract'
import { withClient } from '@svc/servers'
import { opened } from '@svc/testing'
import { sql } from '@svc/postgres'
import { z } from 'zod'
import { beforeEach, describe, expect, test } from 'vitest'
import { estimatePaper, fillPaper } from '#books/fill-paper.ts'
import { paperPositions } from '#books/paper-positions.ts'
import { readPaperScene } from '#books/venue-scene.ts'
import { counted, orderOf, setMark, startBookRig } from './book-rig.ts'

const rig = opened(startBookRig)
let owner = 1
beforeEach(async () => {
  owner += 2
  rig.venue.control('reset')
  rig.advance(61_000)
  await rig.book(owner)
})

/** Returns the code and the members of the refusal that a call ends with. */
async function refused(call: Promise<unknown>): Promise<unknown> {
  try {
    await call
  } catch (error) {
    if (error instanceof RefusalError) return { code: error.refusal.code, ...error.members }
    throw error
  }
  throw new Error('the call was not refused')
}
const fillsOf = (ownerId: number) =>
  rig.pool.any(sql.type(z.object({ order_id: z.string(), size: z.string() }))`
    SELECT order_id, size FROM paper_fill JOIN paper_book ON id = book_id WHERE owner_id = ${ownerId} ORDER BY paper_fill.seq`)

describe('a paper order', () => {
  test('walks the real book, pays the taker fee, and is a position, a fill and a row of the series', async () => {
    const { fill, replayed } = await rig.fill(owner, { side: 'buy', size: '2.5' })
    expect(replayed).toBe(false)
    // 2 at the best price and 0.5 at the next one.
    expect(fill).toMatchObject({ size: '2.5', averagePrice: '60009.6', worstPrice: '60024', notionalUsdc: '150024' })
    expect(fill).toMatchObject({ feeUsdc: '67.5108', equityUsdc: '9908.4892', positionSize: '2.5' })
    const [book] = await paperPositions(rig.context, owner)
    expect(book?.positions).toMatchObject([
      { market: 'hl:BTC', side: 'long', size: '2.5', entry_price: '60009.6', unrealized_pnl_usdc: '-24' },
    ])
  })

  test('fills what an amount is worth at its reference price, on the lot of the market', async () => {
    const { fill } = await rig.fill(owner, { side: 'sell', amountUsdc: '1000', market: 'hl:DOGE', maxSlippage: '0.01' })
    expect(fill).toMatchObject({ side: 'sell', askedSize: '6565', size: '6565', positionSize: '-6565' })
  })

  test('fills partly where the book within the band is thin, and is a miss where nothing is offered', async () => {
    rig.venue.control('book', { coin: 'ETH', asks: [{ px: '3001', sz: '0.5' }], policy: 'taken' })
    const partial = await rig.fill(owner, { side: 'buy', size: '2', market: 'hl:ETH' })
    expect(partial.fill).toMatchObject({ askedSize: '2', size: '0.5', averagePrice: '3001' })
    rig.venue.control('book', { coin: 'ETH', asks: [{ px: '3400', sz: '5' }] })
    rig.advance(2_000)
    const missed = await rig.fill(owner, { side: 'buy', size: '2', market: 'hl:ETH', orderId: `missed-${owner}` })
    expect(missed.fill).toMatchObject({ size: '0', averagePrice: null, feeUsdc: '0', positionSize: '0.5' })
    const again = await rig.fill(owner, { side: 'buy', size: '9', market: 'hl:ETH', orderId: `missed-${owner}` })
    expect(again).toEqual({ ...missed, replayed: true })
  })

  test('on another dex pays the fee of that dex', async () => {
    const { fill } = await rig.fill(owner, { side: 'buy', size: '1', market: 'hl:xyz:TSLA' })
    expect(Number(fill.feeUsdc) / Number(fill.notionalUsdc)).toBeCloseTo(0.0009, 6)
  })
})

describe('what the venue would not accept is refused and stores nothing', () => {
  const rejected = (reason: string) => expect.objectContaining({ code: 'paper_rejected', reason })
  test.each([
    ['a market that the venue does not have', { side: 'buy', market: 'hl:NOPE' }, rejected('unknown_market')],
    ['a market that is no market of the venue', { side: 'buy', market: 'testvenue' }, rejected('unknown_market')],
    ['an open in a delisted market', { side: 'buy', market: 'hl:OLD' }, rejected('market_delisted')],
    ['an open while the session is closed', { side: 'buy', mayOpen: false }, rejected('session_closed')],
    ['less than 10 USDC', { side: 'buy', amountUsdc: '9' }, rejected('minimum_value')],
    ['an amount of less than a lot', { side: 'buy', amountUsdc: '0.1' }, rejected('minimum_value')],
    ['a size beside the lot', { side: 'buy', size: '0.000001' }, rejected('invalid_size')],
    ['an open beyond the margin', { side: 'buy', size: '7' }, rejected('insufficient_margin')],
    ['a reduce-only order without a position', { side: 'sell', reduceOnly: true }, { code: 'nothing_to_close' }],
    ['a book of nobody', { side: 'buy', book: `pbk_${'0'.repeat(32)}` }, { code: 'paper_book_unknown' }],
  ] as const)('%s', async (_, order, expected) => {
    expect(await refused(rig.fill(owner, order))).toEqual(expected)
    expect(await fillsOf(owner)).toEqual([])
  })

  test('an order that would turn the position, and a partial close below the minimum', async () => {
    await rig.fill(owner, { side: 'buy', size: '0.001' })
    expect(await refused(rig.fill(owner, { side: 'sell', size: '0.002' }))).toEqual({
      code: 'would_flip',
      position_size: '0.001',
    })
    expect(await refused(rig.fill(owner, { side: 'sell', size: '0.0001' }))).toMatchObject({ reason: 'minimum_value' })
  })

  test('a book of another owner', async () => {
    const other = await rig.book(owner + 10_000)
    expect(await refused(rig.fill(owner, { side: 'buy', book: other.book }))).toEqual({ code: 'paper_book_unknown' })
  })
})

describe('a close', () => {
  test('is cut to the position, passes while the market is closed or delisted, and below the minimum if it closes all', async () => {
    await rig.fill(owner, { side: 'buy', size: '0.001' })
    setMark(rig.venue, 'BTC', '6000')
    rig.advance(61_000)
    rig.venue.control('delist', { coin: 'BTC', delisted: true })
    const { fill } = await rig.fill(owner, { side: 'sell', size: '5', reduceOnly: true, mayOpen: false })
    expect(fill).toMatchObject({ size: '0.001', positionSize: '0', closedPnlUsdc: '-54.0066', opening: false })
  })
})

describe('one order is one fill', () => {
  test('the same order at the same time and later is answered as it was filled, whatever else it asks', async () => {
    const orderId = `same-${owner}`
    const results = await Promise.all([1, 2, 3].map(() => rig.fill(owner, { side: 'buy', size: '0.01', orderId })))
    expect(results.filter(({ replayed }) => !replayed)).toHaveLength(1)
    const later = await rig.fill(owner, { side: 'sell', size: '0.02', orderId })
    expect(new Set([...results, later].map(({ fill }) => JSON.stringify(fill))).size).toBe(1)
    expect(await fillsOf(owner)).toHaveLength(1)
  })

  test('orders of a book at the same time fill one after the other and within its margin', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, () => rig.fill(owner, { side: 'buy', size: '1.5' })),
    )
    // 10,000 USDC carry at most 6.6 BTC of 60,000 at forty times.
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(4)
    const [book] = await paperPositions(rig.context, owner)
    expect(book?.positions).toMatchObject([{ size: '6' }])
  })

  test('a process that ends between the ask and the commit leaves nothing, and the same order fills afterwards', async () => {
    const orderId = `killed-${owner}`
    const scene = await readPaperScene(rig.context, 'hl:BTC')
    const order = orderOf(owner, { side: 'buy', size: '0.01', orderId, scene })
    const killed = rig.pool.transaction(async (tx) => {
      await fillPaper(rig.context, tx, order)
      const { pid } = await tx.one(sql.type(z.object({ pid: z.number() }))`SELECT pg_backend_pid() AS pid`)
      await withClient(rig.database.superuserUrl, (admin) => admin.query('SELECT pg_terminate_backend($1)', [pid]))
      await tx.query(sql.unsafe`SELECT 1`)
    })
    await expect(killed).rejects.toThrow()
    expect(await fillsOf(owner)).toEqual([])
    expect((await rig.fill(owner, { side: 'buy', size: '0.01', orderId })).replayed).toBe(false)
  })

  test('costs three statements: the lock, what the book holds, and everything that is stored', async () => {
    const scene = await readPaperScene(rig.context, 'hl:BTC')
    const { counts, context } = counted(rig.context)
    await context.pool.transaction((tx) => fillPaper(context, tx, orderOf(owner, { side: 'buy', size: '0.01', scene })))
    expect(counts.statements).toBe(3)
  })

  test('an estimate is what the fill becomes, and has no effect', async () => {
    const scene = await readPaperScene(rig.context, 'hl:BTC')
    const order = orderOf(owner, { side: 'buy', size: '3', scene })
    const estimate = await estimatePaper(rig.pool, order)
    expect(await fillsOf(owner)).toEqual([])
    const { fill } = await rig.fill(owner, { side: 'buy', size: '3' })
    expect(fill).toMatchObject({
      averagePrice: estimate.walk.averagePrice,
      feeUsdc: estimate.walk.feeUsdc,
      equityUsdc: estimate.equityUsdc,
      liquidationPrice: estimate.liquidationPrice,
    })
  })
})
