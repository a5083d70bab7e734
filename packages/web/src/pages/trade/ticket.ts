import { referencePrice, sizeWithin, usdcText } from '@svc/limits'
import { typedUnits, unitsOf } from '../../lib/money.ts'
import type { Product, TradeMode } from './answers.ts'
import { fixed, fixedText, times } from './fixed.ts'

/** What stands in the ticket. */
export interface Ticket {
  readonly market: string | null
  readonly side: 'buy' | 'sell'
  /** Text as it was typed. */
  readonly amount: string
  readonly reduceOnly: boolean
  /** Paper book; null for the oldest one. */
  readonly book: string | null
}

/** Share of the price by which an order may be worse at most, which the request names, so that the page can check it. */
export const MAX_SLIPPAGE = '0.01'
/** Decimals of a size that is estimated before the venue's grid is known. */
const SIZE_DIGITS = 6

/** Why a typed amount is none: `form` for no amount, `minimum` for less than the venue takes. */
export type AmountFault = 'empty' | 'form' | 'minimum'

/** Reads the amount of a ticket: decimal text without separators, or why it is none. */
export function readAmount(
  typed: string,
  minimum: string | null,
): { readonly amount: string; readonly fault: null } | { readonly amount: null; readonly fault: AmountFault } {
  if (typed.trim() === '') return { amount: null, fault: 'empty' }
  const units = typedUnits(typed)
  if (units === null || units === 0n) return { amount: null, fault: 'form' }
  if (minimum !== null && units < unitsOf(minimum)) return { amount: null, fault: 'minimum' }
  return { amount: usdcText(units), fault: null }
}

/** What an amount trades at most, estimated by the prices on the screen. */
export interface Sizing {
  /** Worst price at which the order may execute. */
  readonly worst: string
  /** Price by which the order counts. */
  readonly reference: string
  /** Size at that price, cut. */
  readonly size: string
}

type Priced = Pick<Product, 'mark_price' | 'mid_price'>

/** Returns worst price, reference price and size of an amount by mark and middle; null without a price. */
export function sizeOf(amount: string, side: 'buy' | 'sell', { mark_price, mid_price }: Priced): Sizing | null {
  const [value, mark, slip] = [fixed(amount), fixed(mark_price), fixed(MAX_SLIPPAGE)]
  if (value === null || mark === null || slip === null || mark <= 0n) return null
  const mid = mid_price === null ? null : fixed(mid_price)
  const isNear = mid !== null && (mid > mark ? mid - mark : mark - mid) <= times(mark, slip)
  const centre = isNear ? mid : mark
  const band = times(centre, slip)
  const worst = fixedText(side === 'buy' ? centre + band : centre - band)
  // No bid of the book is above its middle.
  const reference = referencePrice(side, worst, { mark: mark_price, bid: mid_price, ask: mid_price })
  return { worst, reference, size: sizeWithin(amount, reference, SIZE_DIGITS) }
}

/** Body of `POST /ui/trade/order`. */
export interface OrderBody {
  readonly market: string
  readonly side: 'buy' | 'sell'
  readonly amount_usdc: string
  readonly reduce_only: boolean
  readonly max_slippage: string
  readonly mode_seen: TradeMode
  readonly dry_run: boolean
  readonly book?: string
}

/** Returns the body of an order; `seen` is the mode that stands on the screen. */
export function orderBody(ticket: Ticket, amount: string, seen: TradeMode, dryRun: boolean): OrderBody | null {
  const { market, side, reduceOnly, book } = ticket
  if (market === null) return null
  return {
    market,
    side,
    amount_usdc: amount,
    reduce_only: reduceOnly,
    max_slippage: MAX_SLIPPAGE,
    mode_seen: seen,
    dry_run: dryRun,
    ...(book === null || seen === 'live' ? {} : { book }),
  }
}

/** What is known of prices: only those of which an answer says both `sample: false` and `made_up: false` are real. */
export type Provenance = 'real' | 'made_up' | 'unknown'

/** Returns what an answer says of its prices. */
export function provenanceOf(answer: { readonly sample?: unknown; readonly made_up?: unknown }): Provenance {
  if (answer.sample === true || answer.made_up === true) return 'made_up'
  return answer.sample === false && answer.made_up === false ? 'real' : 'unknown'
}

/** Returns the side that closes a position of a signed size. */
export const closeSide = (size: string): 'buy' | 'sell' => (size.startsWith('-') ? 'buy' : 'sell')

/** Returns why a limit cannot be lowered to what was typed; `same` for the limit that stands, null if it can. */
export function lowerFault(typed: string, standing: string): 'form' | 'above' | 'same' | null {
  const units = typedUnits(typed)
  if (units === null) return 'form'
  const now = unitsOf(standing)
  return units > now ? 'above' : units === now ? 'same' : null
}
