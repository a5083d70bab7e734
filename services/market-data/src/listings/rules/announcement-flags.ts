import type { SourcedFlag } from '#venues/rules/venue.ts'
import type { KnownInstance } from './listing.ts'

/** An announcement whose title names assets, as it is stored. Times in milliseconds. */
export interface StoredNotice {
  readonly meaning: 'warning' | 'delisting_announced'
  readonly bases: readonly string[]
  readonly symbols: readonly string[]
  readonly source: string
  readonly publishedAt: number | null
  readonly firstSeenAt: number
  readonly effectiveAt: number | null
}

const DAY_MS = 86_400_000
/** After its day a delisting is a fact of the market list, or was called off. */
const AFTER_EFFECT_MS = 7 * DAY_MS
/** Longest time for which an announcement without a day stands. */
const STANDS_MS = { delisting_announced: 30 * DAY_MS, warning: 90 * DAY_MS } as const
export const LONGEST_MS = 365 * DAY_MS

/** Name of the flag that an announcement of a class raises. A later announcement of the class replaces it. */
export const ANNOUNCED = 'announcement.'

/** Returns whether an announcement is in force. */
export function stands({ meaning, effectiveAt, publishedAt, firstSeenAt }: StoredNotice, nowMs: number): boolean {
  if (effectiveAt !== null) return nowMs < effectiveAt + AFTER_EFFECT_MS
  return nowMs < (publishedAt ?? firstSeenAt) + STANDS_MS[meaning]
}

/**
 * Returns the flags of a venue's pairs that its announcements raise now: of all pairs of a named asset, or of a named pair.
 * An announcement says nothing about an asset that was listed after it.
 */
export function announcementFlags(
  notices: readonly StoredNotice[],
  instances: readonly (KnownInstance & { readonly listedAt: number | null })[],
  nowMs: number,
): SourcedFlag[] {
  const byBase = Map.groupBy(instances, ({ symbol }) => symbol.slice(0, symbol.lastIndexOf('/')))
  const bySymbol = new Map(instances.map((one) => [one.symbol, one]))
  const found = new Map<string, SourcedFlag>()
  const oldestFirst = notices.filter((one) => stands(one, nowMs)).toSorted((a, b) => seenAt(a) - seenAt(b))
  for (const notice of oldestFirst) {
    const named = [
      ...notice.bases.flatMap((base) => byBase.get(base) ?? []),
      ...notice.symbols.flatMap((symbol) => bySymbol.get(symbol) ?? []),
    ]
    for (const { symbol, listedAt } of named) {
      if (listedAt !== null && listedAt > seenAt(notice)) continue
      const flag = `${ANNOUNCED}${notice.meaning}`
      const { meaning, effectiveAt, source, publishedAt } = notice
      found.set(`${symbol} ${flag}`, { symbol, flag, meaning, effectiveAt, source, publishedAt })
    }
  }
  return [...found.values()]
}

const seenAt = ({ publishedAt, firstSeenAt }: StoredNotice) => publishedAt ?? firstSeenAt
