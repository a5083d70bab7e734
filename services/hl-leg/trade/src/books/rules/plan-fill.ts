import type { PaperReason } from '@svc/contracts/hl-trade/books'
import { exact, type Side, usdcNear } from '@svc/hyperliquid/rounding'
import { walkBook, type Book, type Walk } from '@svc/venue/rules/walk-book'
import type { Prices } from '@svc/venue/rules/band'
import { planOrder, type Asked, type NoPlan, type Plan } from '@svc/venue/rules/plan-order'
import {
  applyTrade,
  equityOf,
  initialMarginOf,
  liquidationPriceOf,
  openNotionalOf,
  type Holding,
  type PaperState,
} from './paper-state.ts'

/** Smallest notional of an order at the venue, USDC, at the first price of the book. */
const MINIMUM_USDC = '10'

/** What a paper order asks for. */
export interface PaperAsked extends Asked {
  /** Most that a price may be worse than the middle of the book, as a fraction. */
  readonly maxSlippage: string
  /** False: the market's session is closed, and the order may only close. */
  readonly mayOpen: boolean
}

/** A market of the venue at the moment of the order, with its book. */
export interface PaperMarket {
  readonly coin: string
  readonly markPrice: string
  readonly maxLeverage: number
  readonly sizeDecimals: number
  readonly listed: boolean
  readonly takerFee: string
  readonly depth: Book
}

/** What an order fills, and the book after it. */
export interface PaperFill {
  readonly kind: 'fill'
  readonly status: 'filled' | 'partial' | 'missed'
  readonly opening: boolean
  readonly askedSize: string
  readonly limitPrice: string
  readonly walk: Walk
  readonly after: PaperState
  /** The position in the market after it, of size zero if there is none. */
  readonly holding: Holding
  readonly closedPnlUsdc: string
  readonly equityUsdc: string
  readonly liquidationPrice: string | null
}

/**
 * Judges a planned order that opens, before anything fills; throws to refuse it. `openUsdc` is the notional of all positions of
 * the book at their marks.
 */
export type JudgeOpen = (plan: Plan, openUsdc: string) => void

/** Why an order fills nothing and is not stored. */
export type NoFill =
  | { readonly kind: 'nothing_to_close' }
  | { readonly kind: 'would_flip'; readonly held: string }
  | {
      readonly kind: 'rejected'
      readonly reason: PaperReason
      readonly limit: string | null
      readonly attempted: string | null
    }

/**
 * Plans an order as the venue would execute one that fills at once or not at all: opening or closing follows from the
 * position alone, a reduce-only order is cut to it, and an order that would turn it is not filled. What opens must leave
 * the equity at or above the initial margin of all positions. Throws what `judge` throws.
 */
export function planFill(
  asked: PaperAsked,
  market: PaperMarket,
  state: PaperState,
  judge?: JudgeOpen,
): PaperFill | NoFill {
  const { sizeDecimals, takerFee } = market
  const held = exact(state.holdings.find(({ coin }) => coin === market.coin)?.size ?? 0)
  const scene = { position: held.toFixed(), prices: pricesOf(market), band: asked.maxSlippage, sizeDecimals, takerFee }
  const plan = planOrder(asked, scene)
  if (plan.kind !== 'plan') return noFillOf(plan, held.toFixed())
  const { opening, side, size, worstPrice: limitPrice } = plan
  if (opening && !market.listed) return rejected('market_delisted')
  if (opening && !asked.mayOpen) return rejected('session_closed')
  if (opening && plan.offLot) return rejected('invalid_size', String(sizeDecimals), asked.size)
  if (exact(size).isZero()) return rejected('minimum_value', MINIMUM_USDC, '0')
  const order = { side, size, limitPrice, closesAll: !opening && exact(size).eq(held.abs()) }
  const tooSmall = belowMinimum(order, market)
  if (tooSmall !== null) return tooSmall
  if (opening) judge?.(plan, openNotionalOf(withMark(state, market)))
  const fill = fillOf(order, market, state)
  return opening ? withinMargin(fill) : fill
}

function noFillOf({ kind }: NoPlan, held: string): NoFill {
  switch (kind) {
    case 'nothing_to_close':
      return { kind }
    case 'would_flip':
      return { kind, held }
    case 'no_price':
      return rejected('no_price')
  }
}

const rejected = (reason: PaperReason, limit: string | null = null, attempted: string | null = null): NoFill => ({
  kind: 'rejected',
  reason,
  limit,
  attempted,
})

const best = (levels: Book['bids']): string | null => levels[0]?.price ?? null

/** Returns the prices of a market by which an order is planned and counted. */
export const pricesOf = ({ markPrice, depth }: PaperMarket): Prices => ({
  mark: markPrice,
  bid: best(depth.bids),
  ask: best(depth.asks),
})

interface Sized {
  readonly side: Side
  readonly size: string
  readonly limitPrice: string
  readonly closesAll: boolean
}

/** The venue judges the minimum only if something is offered within the limit, and exempts the close of a whole position. */
function belowMinimum({ side, size, limitPrice, closesAll }: Sized, { depth }: PaperMarket): NoFill | null {
  const first = best(side === 'buy' ? depth.asks : depth.bids)
  if (first === null || closesAll) return null
  if (side === 'buy' ? exact(first).gt(limitPrice) : exact(first).lt(limitPrice)) return null
  const value = exact(size).times(first)
  return value.lt(MINIMUM_USDC) ? rejected('minimum_value', MINIMUM_USDC, usdcNear(value)) : null
}

/** A delisted market without offers settles at its mark price, so that no position stays in it for ever. */
function offersFor({ side, size }: Pick<Sized, 'side' | 'size'>, { listed, depth, markPrice }: PaperMarket): Book {
  const isOver = !listed && (side === 'buy' ? depth.asks : depth.bids).length === 0
  const atMark = [{ price: markPrice, size }]
  return isOver ? { bids: atMark, asks: atMark } : depth
}

function fillOf({ side, size, limitPrice }: Sized, market: PaperMarket, state: PaperState): PaperFill {
  const { coin, markPrice, maxLeverage, takerFee, sizeDecimals } = market
  const walk = walkBook(offersFor({ side, size }, market), {
    side,
    quantity: { size },
    limitPrice,
    takerFee,
    sizeDecimals,
  })
  const marked = withMark(state, market)
  const isClosing = marked.holdings.some((one) => one.coin === coin && one.size.startsWith('-') === (side === 'buy'))
  const base = { kind: 'fill', opening: !isClosing, askedSize: size, limitPrice, walk } as const
  if (exact(walk.filledSize).isZero()) {
    const flat: Holding = { coin, size: '0', entryPrice: null, markPrice, maxLeverage }
    const holding = marked.holdings.find((one) => one.coin === coin) ?? flat
    return { ...base, ...figures(marked, coin), status: 'missed', holding, closedPnlUsdc: '0' }
  }
  const traded = applyTrade(marked, {
    coin,
    side,
    size: walk.filledSize,
    notionalUsdc: usdcNear(walk.notionalUsdc),
    feeUsdc: walk.feeUsdc,
    markPrice,
    maxLeverage,
  })
  const status = exact(walk.filledSize).eq(size) ? 'filled' : 'partial'
  const { holding, closedPnlUsdc } = traded
  return { ...base, ...figures(traded.state, coin), status, holding, closedPnlUsdc }
}

/** Values the position in the market at its fresh mark price. */
const withMark = (state: PaperState, { coin, markPrice, maxLeverage }: PaperMarket): PaperState => ({
  ...state,
  holdings: state.holdings.map((one) => (one.coin === coin ? { ...one, markPrice, maxLeverage } : one)),
})

const figures = (after: PaperState, coin: string) => ({
  after,
  equityUsdc: equityOf(after),
  liquidationPrice: liquidationPriceOf(after, coin),
})

function withinMargin(fill: PaperFill): PaperFill | NoFill {
  const needed = initialMarginOf(fill.after)
  return fill.status === 'missed' || exact(fill.equityUsdc).gte(needed)
    ? fill
    : rejected('insufficient_margin', fill.equityUsdc, usdcNear(needed))
}
