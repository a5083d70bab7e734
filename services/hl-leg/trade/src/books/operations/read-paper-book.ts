import { ok, refuse } from '@svc/contract'
import { common } from '@svc/contracts'
import type { hlTrade } from '@svc/contracts/hl-trade'
import { paperBookUnknown } from '@svc/contracts/hl-trade/books'
import type { Db } from '@svc/postgres'
import { callerOf, type BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { bookView, equityView, fillView, fundingView, positionView } from '../book-view.ts'
import { newestOf } from '../rules/entries.ts'
import { findBook, holdingsOf, readOneSnapshot } from '../store/books.ts'
import { listEquity } from '../store/equity.ts'
import { listFills } from '../store/fills.ts'
import { listFunding } from '../store/funding.ts'

export const readPaperBook: BoundHandler<Context, typeof hlTrade.operations.readPaperBook> =
  ({ pool }) =>
  async (input, call) => {
    const before = input.cursor === undefined ? Number.MAX_SAFE_INTEGER : beforeOf(input.cursor)
    // One snapshot, so that the equity, the positions and the entries of the answer agree.
    const read = await pool.transaction(async (tx) => {
      await readOneSnapshot(tx)
      const book = (await findBook(tx, callerOf(call).account_id, input.book)) ?? refuse(paperBookUnknown)
      return { book, holdings: await holdingsOf(tx, [book.id]), ...(await entriesOf(tx, book.id, before, input.limit)) }
    })
    const { book, holdings, page, next } = read
    const state = { cashUsdc: book.cashUsdc, holdings }
    return ok(200, {
      ...bookView(book, holdings, call.now),
      positions: holdings.map((one) => positionView(state, one)),
      fills: page.fills.map(fillView),
      funding: page.funding.map(fundingView),
      equity_series: page.equity.map(equityView),
      next_cursor: next === null ? null : Buffer.from(String(next)).toString('base64url'),
    })
  }

async function entriesOf(db: Db, bookId: number, before: number, limit: number) {
  const fills = await listFills(db, bookId, before, limit + 1)
  const funding = await listFunding(db, bookId, before, limit + 1)
  const equity = await listEquity(db, bookId, before, limit + 1)
  return newestOf({ fills, funding, equity }, limit)
}

function beforeOf(cursor: string): number {
  const text = Buffer.from(cursor, 'base64url').toString('utf8')
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  const detail = 'send next_cursor of the previous page unchanged'
  return refuse(common.invalidRequest, undefined, {}, [{ pointer: '/query/cursor', code: 'invalid_cursor', detail }])
}
