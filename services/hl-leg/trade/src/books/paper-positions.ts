import { PAPER_BOOKS_MAX, type PaperPositionView } from '@svc/contracts/hl-trade/books'
import type { Context } from '#context.ts'
import { positionView } from './book-view.ts'
import { holdingsOf, listBooks } from './store/books.ts'

/** Open positions of a paper book. */
export interface PaperPositions {
  readonly book: string
  readonly name: string
  readonly positions: readonly PaperPositionView[]
}

/** Lists the books of an owner with their open positions, oldest book first. */
export async function paperPositions(
  { pool }: Pick<Context, 'pool'>,
  ownerId: number,
): Promise<readonly PaperPositions[]> {
  const books = await listBooks(pool, ownerId, PAPER_BOOKS_MAX)
  const ids = books.map(({ id }) => id)
  const holdings = await holdingsOf(pool, ids)
  return books.map(({ id, book, name, cashUsdc }) => {
    const own = holdings.filter(({ bookId }) => bookId === id)
    return { book, name, positions: own.map((one) => positionView({ cashUsdc, holdings: own }, one)) }
  })
}
