import { partsOf, type Cost, type VenueFile } from '@svc/contracts/market-data/venue-file'

/** Calls a minute that a venue with a number of pairs gets beside the scans of targets, and calls of one scan. */
const boardCalls = (pairs: number, perCall: number) =>
  ({
    quotes: 1,
    // Lists, warnings and wallet states are read every five minutes, as is each book by the rotation.
    markets: 1 / 5,
    flags: 1 / 5,
    wallets: 1 / 5,
    book: Math.ceil(pairs / perCall) / 5 + ARBITRAGE_BOOKS,
    candles: pairs / 60,
  }) as const
/** Books of a venue that a pass of arbitrage reads. */
const ARBITRAGE_BOOKS = 40
/** A scan reads a part of a book call and one call of candles; its volume is read again when two hours close. */
const scanCalls = (perCall: number) => ({ book: 1 / perCall, candles: 1 + 1 / 120 }) as const

/** Returns the units that calls take, by pool. */
function unitsOf(
  cost: VenueFile['cost'],
  calls: Partial<Record<keyof VenueFile['cost'], number>>,
): Map<string, number> {
  const units = new Map<string, number>()
  for (const [kind, count] of Object.entries(calls)) {
    const { pool, units: each } = partsOf(cost[kind as keyof VenueFile['cost']] satisfies Cost)
    units.set(pool, (units.get(pool) ?? 0) + each * count)
  }
  return units
}

/**
 * Returns how many pairs of a venue can be scanned each minute with what its allowance leaves beside the reads for the
 * board, in its scarcest pool.
 */
export function scanCapacity(
  { pools, cost, books }: Pick<VenueFile, 'pools' | 'cost' | 'books'>,
  pairs: number,
): number {
  const board = unitsOf(cost, boardCalls(pairs, books.perCall))
  const scan = unitsOf(cost, scanCalls(books.perCall))
  const carried = [...scan].map(([name, each]) => {
    const { units, windowMs } = pools[name] ?? pools.main
    return ((units / windowMs) * 60_000 - (board.get(name) ?? 0)) / each
  })
  return Math.max(0, Math.floor(Math.min(...carried)))
}
