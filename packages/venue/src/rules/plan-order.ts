import { exact, roundSize, type Side, usdcUp } from '@svc/hyperliquid/rounding'
import { notionalAt, referencePrice, sizeWithin } from '@svc/limits'
import { centreOf, worstOf, type Centre, type Prices } from './band.ts'

/** How much the caller wants to trade; exactly one of the two is not null. Decimal text. */
export interface Asked {
  readonly side: Side
  readonly amountUsdc: string | null
  readonly size: string | null
  readonly reduceOnly: boolean
}

/** What is known at the moment of the order. `position` is the signed size of the account in this market. */
export interface Scene {
  readonly position: string
  readonly prices: Prices
  readonly band: string
  readonly sizeDecimals: number
  readonly takerFee: string
}

/** The order to be judged. */
export interface Plan {
  readonly kind: 'plan'
  readonly opening: boolean
  readonly side: Side
  /** On the lot; `0` if the amount is less than a lot. */
  readonly size: string
  /** Bounds what the order may lose. */
  readonly worstPrice: string
  readonly centre: Centre
  /** Bounds what the order may trade: an amount becomes a size by it. */
  readonly referencePrice: string
  /** size × reference price. */
  readonly notionalUsdc: string
  /** What the order costs at its worst price against the mark price, with the fee. */
  readonly lossUsdc: string
  /** True if the caller named a size that is not on the lot. */
  readonly offLot: boolean
}

/**
 * Why there is nothing to judge. `would_flip`: the order is larger than the position that it closes.
 * `nothing_to_close`: a reduce-only order without a position on the other side. `no_price`: the grid has no price in the
 * band.
 */
export interface NoPlan {
  readonly kind: 'would_flip' | 'nothing_to_close' | 'no_price'
}

/**
 * Plans an order from the fresh position: an order against the position closes, any other opens; what the request says
 * about it does not matter, but that a reduce-only order never opens. A reduce-only order is cut to the position.
 */
export function planOrder(asked: Asked, scene: Scene): Plan | NoPlan {
  const { side, reduceOnly } = asked
  const held = exact(scene.position)
  const closing = !held.isZero() && held.isNegative() === (side === 'buy')
  if (reduceOnly && !closing) return { kind: 'nothing_to_close' }
  const centre = centreOf(scene.prices, scene.band)
  const worstPrice = worstOf(centre, side, scene.band, scene.sizeDecimals)
  if (worstPrice === null) return { kind: 'no_price' }
  const counted = referencePrice(side, worstPrice, scene.prices)
  const wanted = sizeOf(asked, counted, scene.sizeDecimals)
  if (closing && !reduceOnly && exact(wanted).gt(held.abs())) return { kind: 'would_flip' }
  const size = closing && exact(wanted).gt(held.abs()) ? held.abs().toFixed() : wanted
  const against = exact(worstPrice)
    .minus(scene.prices.mark)
    .times(side === 'buy' ? 1 : -1)
  const slip = against.gt(0) ? against.times(size) : exact(0)
  return {
    kind: 'plan',
    opening: !closing,
    side,
    size,
    worstPrice,
    centre,
    referencePrice: counted,
    notionalUsdc: notionalAt(size, counted),
    lossUsdc: usdcUp(slip.plus(exact(size).times(worstPrice).times(scene.takerFee))),
    offLot: asked.size !== null && !exact(asked.size).eq(roundSize(asked.size, scene.sizeDecimals)),
  }
}

/** The greatest size on the lot that is worth at most the amount at the reference price, or the named size cut to the lot. */
function sizeOf({ amountUsdc, size }: Asked, counted: string, sizeDecimals: number): string {
  if (size !== null) return roundSize(size, sizeDecimals)
  return sizeWithin(amountUsdc ?? '0', counted, sizeDecimals)
}
