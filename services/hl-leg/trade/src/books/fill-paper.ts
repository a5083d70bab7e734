import { refuse } from '@svc/contract'
import { nothingToClose, paperBookUnknown, paperRejected } from '@svc/contracts/hl-trade/books'
import { wouldFlip } from '@svc/contracts/hl-leg/orders'
import type { Db, Tx } from '@svc/postgres'
import type { Context } from '#context.ts'
import { drawdownOf, type PaperState } from './rules/paper-state.ts'
import { planFill, type JudgeOpen, type NoFill, type PaperAsked, type PaperFill } from './rules/plan-fill.ts'
import { findBook, holdingsForOrder, holdingsOf, lockBook, type PaperBook } from './store/books.ts'
import { findFill, storeFill, type StoredFill } from './store/fills.ts'
import type { PaperScene } from './venue-scene.ts'

/** A paper order of an owner, or of an agent for its owner. */
export interface PaperOrder extends PaperAsked {
  /** Id of the order, at most 80 characters; one id is filled once. */
  readonly orderId: string
  readonly ownerId: number
  /** Null for an order of the owner. */
  readonly agentId: number | null
  /** Null: the owner's oldest book. */
  readonly book: string | null
  /** Market and book, read before the transaction with `readPaperScene`. */
  readonly scene: PaperScene
}

/** What became of a paper order. */
export interface PaperResult {
  readonly book: string
  readonly fill: StoredFill
  /** The order was filled by an earlier call, whose result this is. */
  readonly replayed: boolean
}

/**
 * Fills a paper order in the caller's transaction, under the lock of its book: three statements. The same order again is
 * answered as it was filled, whatever else it asks. Refuses with `paper_book_unknown`, `nothing_to_close`, `would_flip`
 * or `paper_rejected`, and with what `judge` throws, and stores nothing then; an order that meets no offer is stored as missed.
 */
export async function fillPaper(
  { clock }: Pick<Context, 'clock'>,
  tx: Tx,
  order: PaperOrder,
  judge?: JudgeOpen,
): Promise<PaperResult> {
  const book = (await lockBook(tx, order.ownerId, order.book)) ?? refuse(paperBookUnknown)
  const { known, holdings } = await holdingsForOrder(tx, book.id, order.orderId)
  if (known) return { book: book.book, fill: await findFill(tx, order.orderId), replayed: true }
  const plan = requireFill(planFill(order, order.scene, { cashUsdc: book.cashUsdc, holdings }, judge))
  const fill = await storeFill(tx, changeOf(book, order, plan, clock.now()))
  return { book: book.book, fill, replayed: false }
}

/** Plans a paper order as it would fill now, without any effect. Refuses as `fillPaper`. */
export async function estimatePaper(db: Db, order: PaperOrder, judge?: JudgeOpen): Promise<PaperFill> {
  const book = (await findBook(db, order.ownerId, order.book)) ?? refuse(paperBookUnknown)
  const holdings = await holdingsOf(db, [book.id])
  return requireFill(planFill(order, order.scene, { cashUsdc: book.cashUsdc, holdings }, judge))
}

function requireFill(plan: PaperFill | NoFill): PaperFill {
  switch (plan.kind) {
    case 'fill':
      return plan
    case 'nothing_to_close':
      return refuse(nothingToClose)
    case 'would_flip':
      return refuse(wouldFlip, undefined, { position_size: plan.held })
    case 'rejected': {
      const { reason, limit, attempted } = plan
      return refuse(paperRejected, undefined, { reason, limit, attempted })
    }
  }
}

function changeOf(book: PaperBook, order: PaperOrder, plan: PaperFill, now: Date) {
  const { walk, after, holding } = plan
  const missed = plan.status === 'missed'
  const seen = missed ? book : drawdownOf(book, plan.equityUsdc)
  return {
    fill: {
      bookId: book.id,
      seq: book.seq + 1,
      kind: 'order' as const,
      orderId: order.orderId,
      agentId: order.agentId,
      coin: order.scene.coin,
      side: order.side,
      opening: plan.opening,
      askedSize: plan.askedSize,
      size: walk.filledSize,
      averagePrice: walk.averagePrice,
      worstPrice: walk.worstPrice,
      limitPrice: plan.limitPrice,
      markPrice: order.scene.markPrice,
      notionalUsdc: walk.notionalUsdc,
      feeUsdc: walk.feeUsdc,
      closedPnlUsdc: plan.closedPnlUsdc,
      coveredUsdc: '0',
      liquidationPrice: plan.liquidationPrice,
      equityUsdc: plan.equityUsdc,
      bookAt: order.scene.bookAt,
      filledAt: now,
    },
    holding,
    hasPositions: after.holdings.length > 0,
    cashUsdc: after.cashUsdc,
    peakUsdc: seen.peakUsdc,
    maxDrawdownBps: seen.maxDrawdownBps,
    marks: marksOf(after),
  }
}

/** Mark prices of a book's positions, by coin. */
export const marksOf = ({ holdings }: PaperState): Readonly<Record<string, string>> =>
  Object.fromEntries(holdings.map(({ coin, markPrice }) => [coin, markPrice]))
