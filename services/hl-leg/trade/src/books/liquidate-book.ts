import type { Tx } from '@svc/postgres'
import type { Book } from '@svc/venue/rules/walk-book'
import type { Context } from '#context.ts'
import { takerFeeOf } from '@svc/venue/rules/taker-fee'
import { marksOf } from './fill-paper.ts'
import { drawdownOf, isLiquidated, type PaperState } from './rules/paper-state.ts'
import { planLiquidation, type ForcedClose } from './rules/plan-liquidation.ts'
import { holdingsOf, lockBookById, type PaperBook } from './store/books.ts'
import { storeFill } from './store/fills.ts'
import { readDepth } from './venue-scene.ts'

/**
 * Closes all positions of a book whose equity, at its stored marks, no longer covers the maintenance margin. The books of
 * the venue are read first; under the lock of the book it is judged again. Returns false if the book is above its margin.
 */
export async function liquidateBook(context: Context, id: number): Promise<boolean> {
  const { pool, clock } = context
  const depths = new Map<string, Book | null>()
  for (const { coin } of await holdingsOf(pool, [id])) depths.set(coin, await readDepth(context, coin))
  return pool.transaction(async (tx) => {
    const book = await lockBookById(tx, id)
    const state: PaperState = { cashUsdc: book.cashUsdc, holdings: await holdingsOf(tx, [id]) }
    // A position that was opened meanwhile is closed at its mark; the next run would read its book.
    if (state.holdings.length === 0 || !isLiquidated(state)) return false
    const exitOf = (coin: string) => ({ depth: depths.get(coin) ?? null, takerFee: takerFeeOf(coin) })
    const closes = planLiquidation(state, exitOf)
    await storeCloses(tx, { book, state, closes }, clock.now())
    return true
  })
}

async function storeCloses(
  tx: Tx,
  {
    book,
    state,
    closes,
  }: { readonly book: PaperBook; readonly state: PaperState; readonly closes: readonly ForcedClose[] },
  now: Date,
): Promise<void> {
  let seen: Pick<PaperBook, 'peakUsdc' | 'maxDrawdownBps'> = book
  for (const [index, close] of closes.entries()) {
    seen = drawdownOf(seen, close.equityUsdc)
    const left = state.holdings.filter(({ coin }) => !closes.slice(0, index + 1).some((one) => one.coin === coin))
    await storeFill(tx, {
      fill: {
        bookId: book.id,
        seq: book.seq + 1 + 2 * index,
        kind: 'liquidation',
        orderId: null,
        agentId: null,
        coin: close.coin,
        side: close.side,
        opening: false,
        askedSize: close.size,
        size: close.size,
        averagePrice: close.averagePrice,
        worstPrice: close.worstPrice,
        limitPrice: null,
        markPrice: close.markPrice,
        notionalUsdc: close.notionalUsdc,
        feeUsdc: close.feeUsdc,
        closedPnlUsdc: close.closedPnlUsdc,
        coveredUsdc: close.coveredUsdc,
        liquidationPrice: null,
        equityUsdc: close.equityUsdc,
        bookAt: null,
        filledAt: now,
      },
      holding: close.holding,
      hasPositions: left.length > 0,
      cashUsdc: close.cashUsdc,
      ...seen,
      marks: marksOf({ cashUsdc: close.cashUsdc, holdings: left }),
    })
  }
}
