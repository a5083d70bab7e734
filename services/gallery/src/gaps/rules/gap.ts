import { exact } from '@svc/hyperliquid/rounding'

/**
 * Returns how much worse a fill was than the price of its signal, in basis points of that price, with two decimals: a buy
 * above it and a sell below it are worse. Prices are decimal text above zero.
 */
export function gapBps(side: 'buy' | 'sell', signalPrice: string, fillPrice: string): string {
  const above = exact(fillPrice).minus(signalPrice).div(signalPrice).times(10_000)
  return (side === 'buy' ? above : above.negated()).toDecimalPlaces(2).toFixed()
}
