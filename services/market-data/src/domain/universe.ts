import type { Pair } from '@svc/contracts/market-data'
import type { Listed } from './venue-formats.ts'

/** Pairs kept at most; what a venue lists beyond it is dropped and counted. */
export const PAIRS_MAX = 50_000

/** All pairs by `<exchange> <BASE>/<QUOTE>`. */
export type Universe = ReadonlyMap<string, Pair>

const ASSET = /^[A-Z0-9$.-]{1,32}$/

/**
 * Builds the universe from what venues list. Left out and counted: assets whose ticker could not
 * stand in a path, repeated pairs and whatever exceeds the bound.
 */
export function buildUniverse(venues: ReadonlyMap<string, readonly Listed[]>): {
  readonly universe: Universe
  readonly skipped: number
} {
  const universe = new Map<string, Pair>()
  let skipped = 0
  for (const [exchange, pairs] of venues) {
    for (const { base, quote, name } of pairs) {
      const key = keyOf(exchange, `${base}/${quote}`)
      if (!ASSET.test(base) || !ASSET.test(quote) || universe.has(key) || universe.size >= PAIRS_MAX) {
        skipped += 1
        continue
      }
      const token_id = `${exchange}_${base}_${quote}`.toLowerCase()
      universe.set(key, { token_id, exchange, symbol: `${base}/${quote}`, base, quote, name })
    }
  }
  return { universe, skipped }
}

/** Key of a pair in the universe. */
export function keyOf(exchange: string, symbol: string): string {
  return `${exchange} ${symbol}`
}
