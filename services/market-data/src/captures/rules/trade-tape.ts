import type { Fill } from './microburst.ts'
import type { Trade } from '#venues/rules/venue.ts'

/**
 * Joins overlapping polls of a venue's newest trades into one tape. Equal trades without an id are counted as often as one
 * poll contained them. Trades without a side are left out, because the aggressor is unknown.
 */
export function tradeTape(): { add(poll: readonly Trade[]): void; fills(usd: number): Fill[] } {
  const tape = new Map<string, { trade: Trade; count: number }>()
  return {
    add: (poll) => {
      const counts = new Map<string, { trade: Trade; count: number }>()
      for (const trade of poll) {
        const key = trade.id ?? `${trade.at} ${trade.side} ${trade.price} ${trade.amount}`
        const known = counts.get(key)
        if (known === undefined) counts.set(key, { trade, count: 1 })
        else known.count += trade.id === null ? 1 : 0
      }
      for (const [key, seen] of counts) if (seen.count > (tape.get(key)?.count ?? 0)) tape.set(key, seen)
    },
    fills: (usd) =>
      [...tape.values()].flatMap(({ trade: { at, side, price, amount }, count }): Fill[] =>
        side === null
          ? []
          : Array.from({ length: count }, () => ({ timeMs: at, side, price, notionalUsd: price * amount * usd })),
      ),
  }
}
