import { exact } from '@svc/hyperliquid/rounding'
import type { Centre, Prices } from '@svc/venue/rules/band'
import type { TradeFacts } from './judge-trade.ts'

/** Judges the price of an open when it is planned: the middle of the book must exist and agree with the mark price. */
export function bandAtPlan({ mid, source }: Centre, { mark }: Pick<Prices, 'mark'>): TradeFacts['price'] {
  if (mid === null)
    return { limit: null, attempted: null, fix: 'Try again later: one side of the book of this market is empty.' }
  if (source === 'mid') return null
  const fix = 'Try again later: the middle of the book is further from the mark price than max_slippage allows.'
  return { limit: mark, attempted: mid, fix }
}

/** Judges the price of a prepared order when it is executed: it may have moved by at most the band of the order. */
export function bandAtExecution(
  prepared: { readonly bandCentre: string; readonly band: string },
  fresh: Pick<Centre, 'price'>,
): TradeFacts['price'] {
  const { bandCentre, band } = prepared
  const moved = exact(fresh.price).minus(bandCentre).abs()
  if (moved.lte(exact(bandCentre).times(band))) return null
  const fix = `Prepare the order again: the price moved from ${bandCentre} to ${fresh.price}, which is more than max_slippage allows.`
  return { limit: bandCentre, attempted: fresh.price, fix }
}
