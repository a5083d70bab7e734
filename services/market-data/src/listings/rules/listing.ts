import type { ListedMarket, MarketList } from '#venues/rules/venue.ts'

/** States of an instance by the statement of its venue; a failed request is no evidence. */
export type Trading = 'trading' | 'halted' | 'delisted'

/** A stored instance before a new market list is applied. Times in milliseconds. */
export interface KnownInstance {
  readonly instanceId: number
  readonly tokenId: string
  readonly symbol: string
  readonly trading: Trading
  readonly tradingSince: number
  readonly missingLists: number
  readonly missingSince: number | null
}

/** The stored facts of the venue's last accepted list. */
export interface KnownList {
  /** Markets in the last complete list; 0 before the first. */
  readonly count: number
  readonly venueTime: number | null
}

/** A change for which a list is positive evidence. */
export type ListingChange =
  | { readonly kind: 'listed'; readonly market: ListedMarket; readonly predecessor: KnownInstance | null }
  | { readonly kind: 'halted'; readonly instance: KnownInstance; readonly cause: string }
  | { readonly kind: 'resumed'; readonly instance: KnownInstance }
  | { readonly kind: 'delisted'; readonly instance: KnownInstance; readonly cause: string }
  | { readonly kind: 'missing'; readonly instance: KnownInstance; readonly lists: number; readonly since: number }
  | { readonly kind: 'present'; readonly instance: KnownInstance }

export type ListingPlan =
  | { readonly accepted: true; readonly count: number; readonly changes: readonly ListingChange[] }
  | { readonly accepted: false; readonly reason: 'short_list' | 'stale' }

/** A list with less than this share of the markets of the last complete list is rejected. */
const COMPLETE_SHARE = 0.9
/** Consecutive complete lists without a symbol after which it is delisted. */
const MISSING_LISTS_MAX = 3
/** A status that forbids trading for this time is a delisting. */
const HALT_DELISTS_MS = 24 * 3_600_000

/**
 * Plans the changes of a market list. A short list, or a list older than the last one, is rejected. Each change follows from
 * evidence: a market that trades, an explicit status, or the absence from three consecutive complete lists.
 */
export function planListing(
  known: readonly KnownInstance[],
  last: KnownList,
  list: MarketList,
  now: number,
): ListingPlan {
  if (list.markets.length < last.count * COMPLETE_SHARE) return { accepted: false, reason: 'short_list' }
  if (list.venueTime !== null && last.venueTime !== null && list.venueTime < last.venueTime)
    return { accepted: false, reason: 'stale' }
  const bySymbol = new Map(list.markets.map((market) => [market.symbol, market]))
  const changes: ListingChange[] = []
  const knownSymbols = new Set<string>()
  for (const instance of known) {
    knownSymbols.add(instance.symbol)
    const change = changeOf(instance, bySymbol.get(instance.symbol), now)
    if (change !== null) changes.push(change)
  }
  for (const market of bySymbol.values())
    if (market.trading && !knownSymbols.has(market.symbol)) changes.push({ kind: 'listed', market, predecessor: null })
  return { accepted: true, count: bySymbol.size, changes }
}

function changeOf(instance: KnownInstance, market: ListedMarket | undefined, now: number): ListingChange | null {
  if (instance.trading === 'delisted')
    return market?.trading === true ? { kind: 'listed', market, predecessor: instance } : null
  if (market === undefined) {
    const lists = instance.missingLists + 1
    if (lists >= MISSING_LISTS_MAX) return { kind: 'delisted', instance, cause: 'absent_from_three_lists' }
    return { kind: 'missing', instance, lists, since: instance.missingSince ?? now }
  }
  const status = `status_${market.status ?? 'inactive'}`.slice(0, 64)
  if (!market.trading) {
    if (instance.trading === 'trading') return { kind: 'halted', instance, cause: status }
    if (now - instance.tradingSince >= HALT_DELISTS_MS) return { kind: 'delisted', instance, cause: status }
  } else if (instance.trading === 'halted') return { kind: 'resumed', instance }
  return instance.missingLists > 0 ? { kind: 'present', instance } : null
}
