import { exact } from '@svc/hyperliquid/rounding'
import type { Prices, Reference } from '#venue/rules/band.ts'
import type { TradeFacts } from './judge-trade.ts'

/** Judges the price of an open when it is planned: the middle of the book must exist and agree with the mark price. */
export function bandAtPlan({ mid, source }: Reference, { mark }: Pick<Prices, 'mark'>): TradeFacts['price'] {
  if (mid === null)
    return { limit: null, attempted: null, fix: 'Try again later: one side of the book of this market is empty.' }
  if (source === 'mid') return null
  const fix = 'Try again later: the middle of the book is further from the mark price than max_slippage allows.'
  return { limit: mark, attempted: mid, fix }
}

/** Judges the price of a prepared order when it is executed: it may have moved by at most the band of the order. */
export function bandAtExecution(
  prepared: { readonly referencePrice: string; readonly band: string },
  fresh: Pick<Reference, 'price'>,
): TradeFacts['price'] {
  const { referencePrice, band } = prepared
  const moved = exact(fresh.price).minus(referencePrice).abs()
  if (moved.lte(exact(referencePrice).times(band))) return null
  const fix = `Prepare the order again: the price moved from ${referencePrice} to ${fresh.price}, which is more than max_slippage allows.`
  return { limit: referencePrice, attempted: fresh.price, fix }
}
