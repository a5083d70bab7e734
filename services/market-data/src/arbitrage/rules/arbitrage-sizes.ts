import type { ArbitrageOpportunity } from './arbitrage.ts'
import { decimalText, toUnits, UNIT } from './decimal-units.ts'
import { bestFirst, commonLot, lotLevels, type LotLevel, type VenueBook } from './lot-ladder.ts'

/** Result of a fixed size at the same venues. */
export interface SizeResult {
  readonly size_usd: number
  /** Profit divided by cost after fees; negative for a loss; null if the size exceeds the books. */
  readonly net_bps: number | null
}

/** Sizes in which opportunities are compared. */
export const COMPARED_SIZES_USD = [1000, 5000, 25_000] as const

/**
 * Returns the net result of each size: buying the cheapest lots at the opportunity's buying venues and selling as many lots
 * at its selling venues at the highest prices. Lots beyond the opportunity's quantity lose, so the result falls with size.
 */
export function resultsBySize(
  { legs }: Pick<ArbitrageOpportunity, 'legs'>,
  books: readonly VenueBook[],
  quoteUsd: number,
  sizesUsd: readonly number[] = COMPARED_SIZES_USD,
): SizeResult[] {
  const venues = (side: 'buy' | 'sell') =>
    books.filter(({ exchange }) => legs.some((leg) => leg.side === side && leg.exchange === exchange))
  const lot = commonLot([...venues('buy'), ...venues('sell')])
  const levels = (side: 'buy' | 'sell') =>
    bestFirst(
      venues(side).flatMap((book) => lotLevels(book, side, lot)),
      side,
    )
  const [asks, bids] = [levels('buy'), levels('sell')]
  return sizesUsd.map((size_usd) => {
    const spend = (toUnits(size_usd / quoteUsd) ?? 0n) * UNIT * UNIT
    const lots = lotsFor(asks, spend)
    const cost = lots === null ? null : netOf(asks, lots)
    const proceeds = lots === null ? null : netOf(bids, lots)
    if (cost === null || proceeds === null || cost === 0n) return { size_usd, net_bps: null }
    return { size_usd, net_bps: (Number(decimalText(proceeds - cost, 54)) / Number(decimalText(cost, 54))) * 10_000 }
  })
}

/** Returns the most lots that `spend` buys; null if all lots together cost less. */
function lotsFor(asks: readonly LotLevel[], spend: bigint): bigint | null {
  let [lots, left] = [0n, spend]
  for (const level of asks) {
    const affordable = left / level.net
    if (affordable < level.lots) return lots + affordable
    lots += level.lots
    left -= level.lots * level.net
  }
  return null
}

/** Returns the net value of the best lots; null if there are fewer. */
function netOf(levels: readonly LotLevel[], lots: bigint): bigint | null {
  let [left, total] = [lots, 0n]
  for (const level of levels) {
    const taken = left < level.lots ? left : level.lots
    total += taken * level.net
    left -= taken
    if (left === 0n) return total
  }
  return null
}
