import type { Context } from '#context.ts'

/** When something was read, and whether it is older than usual. */
export interface ReadTime {
  readonly at: Date
  readonly stale: boolean
}

/** Puts data of the venue into the envelope of every relayed answer. */
export const envelope = <T>({ venue }: Pick<Context, 'venue'>, { at, stale }: ReadTime, data: T) => ({
  source: 'hyperliquid' as const,
  network: venue.network,
  made_up: venue.madeUp,
  computed_at: at.toISOString(),
  stale,
  data,
})

/** Returns the time of several readings together: the oldest, and stale if one is. */
export const oldestOf = (first: ReadTime, ...others: readonly ReadTime[]): ReadTime => ({
  at: new Date(Math.min(first.at.getTime(), ...others.map(({ at }) => at.getTime()))),
  stale: first.stale || others.some(({ stale }) => stale),
})
