import { exact } from '@svc/hyperliquid/rounding'

const BPS = 10_000
const BPS_DECIMALS = 2

/** Returns how far a price lies from another one, in basis points of the latter; positive above. Null without both. */
export function bpsFrom(price: string | null, reference: string | null): string | null {
  if (price === null || reference === null || exact(reference).isZero()) return null
  return exact(price).minus(reference).div(reference).times(BPS).toDecimalPlaces(BPS_DECIMALS).toFixed()
}

/** Returns what an order loses to the middle of the book at an average price, in basis points; null without both. */
export function impactBps(side: 'buy' | 'sell', average: string | null, middle: string | null): string | null {
  const above = bpsFrom(average, middle)
  if (above === null || side === 'buy') return above
  return exact(0).minus(above).toFixed()
}

/** Returns the width of a book in basis points of its middle; null unless both sides have an offer. */
export function spreadBps(bid: string | null, ask: string | null, middle: string | null): string | null {
  if (bid === null || ask === null || middle === null || exact(middle).isZero()) return null
  return exact(ask).minus(bid).div(middle).times(BPS).toDecimalPlaces(BPS_DECIMALS).toFixed()
}
