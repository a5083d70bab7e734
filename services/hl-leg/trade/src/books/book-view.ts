import type {
  PaperBookView,
  PaperEquityView,
  PaperFillView,
  PaperFundingView,
  PaperPositionView,
} from '@svc/contracts/hl-trade/books'
import { exact, usdcNear } from '@svc/hyperliquid/rounding'
import { marketIdOf } from '@svc/venue/rules/market-id'
import { equityOf, liquidationPriceOf, type PaperState } from './rules/paper-state.ts'
import type { PaperBook, StoredHolding } from './store/books.ts'
import type { StoredEquity } from './store/equity.ts'
import type { StoredFill } from './store/fills.ts'
import type { StoredFunding } from './store/funding.ts'

/** A book with its positions, as the API shows it; `now` stands for the marks of a book without positions. */
export function bookView(book: PaperBook, holdings: readonly StoredHolding[], now: Date): PaperBookView {
  const oldest = Math.min(now.getTime(), ...holdings.map(({ markedAt }) => markedAt.getTime()))
  return {
    book: book.book,
    name: book.name,
    start_usdc: book.startUsdc,
    cash_usdc: book.cashUsdc,
    equity_usdc: equityOf({ cashUsdc: book.cashUsdc, holdings }),
    fees_paid_usdc: book.feesUsdc,
    funding_usdc: book.fundingUsdc,
    max_drawdown_bps: book.maxDrawdownBps,
    marked_at: new Date(oldest).toISOString(),
    created_at: book.createdAt.toISOString(),
  }
}

/** A position of a book, as the API shows it. */
export function positionView(state: PaperState, holding: StoredHolding): PaperPositionView {
  const { coin, markPrice, entryPrice, markedAt } = holding
  const size = exact(holding.size)
  return {
    market: marketIdOf(coin),
    side: size.isNegative() ? 'short' : 'long',
    size: size.abs().toFixed(),
    entry_price: entryPrice ?? markPrice,
    mark_price: markPrice,
    notional_usdc: usdcNear(size.abs().times(markPrice)),
    unrealized_pnl_usdc: usdcNear(
      exact(markPrice)
        .minus(entryPrice ?? markPrice)
        .times(size),
    ),
    liquidation_price: liquidationPriceOf(state, coin),
    marked_at: markedAt.toISOString(),
  }
}

/** A fill, as the API shows it. */
export const fillView = (fill: StoredFill): PaperFillView => ({
  seq: fill.seq,
  kind: fill.kind,
  order_id: fill.orderId,
  agent_id: fill.agentId,
  market: marketIdOf(fill.coin),
  side: fill.side,
  size: fill.size,
  average_price: fill.averagePrice ?? fill.markPrice,
  notional_usdc: fill.notionalUsdc,
  fee_usdc: fill.feeUsdc,
  closed_pnl_usdc: fill.closedPnlUsdc,
  covered_usdc: fill.coveredUsdc,
  filled_at: fill.filledAt.toISOString(),
})

/** Funding of an hour, as the API shows it. */
export const fundingView = (row: StoredFunding): PaperFundingView => ({
  seq: row.seq,
  market: marketIdOf(row.coin),
  hour: row.hour.toISOString(),
  size: row.size,
  oracle_price: row.oraclePrice,
  rate: row.rate,
  usdc: row.usdc,
  paid_at: row.paidAt.toISOString(),
})

/** A row of the equity series, as the API shows it. */
export const equityView = (row: StoredEquity): PaperEquityView => ({
  seq: row.seq,
  at: row.at.toISOString(),
  cause: row.cause,
  equity_usdc: row.equityUsdc,
  marks: Object.fromEntries(Object.entries(row.marks).map(([coin, mark]) => [marketIdOf(coin), mark])),
})
