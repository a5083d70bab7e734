import { ok } from '@svc/contract'
import type { hlTrade } from '@svc/contracts/hl-trade'
import { PAPER_BOOKS_MAX } from '@svc/contracts/hl-trade/books'
import { callerOf, type BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { bookView } from '../book-view.ts'
import { holdingsOf, listBooks } from '../store/books.ts'

export const listPaperBooks: BoundHandler<Context, typeof hlTrade.operations.listPaperBooks> =
  ({ pool }) =>
  async (_, call) => {
    const books = await listBooks(pool, callerOf(call).account_id, PAPER_BOOKS_MAX)
    const holdings = await holdingsOf(
      pool,
      books.map(({ id }) => id),
    )
    const ownOf = (id: number) => holdings.filter(({ bookId }) => bookId === id)
    return ok(200, { items: books.map((book) => bookView(book, ownOf(book.id), call.now)) })
  }
