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
  /** When it was accepted, milliseconds; null before the first. */
  readonly listedAt: number | null
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
  | {
      readonly accepted: true
      /** False of a short list: what it lacks is no evidence yet. */
      readonly complete: boolean
      readonly count: number
      readonly changes: readonly ListingChange[]
    }
  | { readonly accepted: false; readonly reason: 'stale' }

/** A list with less than this share of the markets of the last complete list is short. */
const COMPLETE_SHARE = 0.9
/** Consecutive complete lists without a symbol after which it is delisted. */
const MISSING_LISTS_MAX = 3
/** Lists that all lack a symbol for this time are evidence, also if they are short or have unreadable rows. */
const MISSING_MS_MAX = 24 * 3_600_000
/** After a longer pause between two lists an absence starts again. */
const PAUSE_MS_MAX = 3_600_000
/** A status that forbids trading for this time is a delisting. */
const HALT_DELISTS_MS = 24 * 3_600_000

/**
 * Plans the changes of a market list. A list older than the last one is rejected. Each change follows from evidence: a market
 * that trades, an explicit status, or an absence from three consecutive complete lists. In a short list, or one with rows that
 * cannot be told, only what it has is evidence, until a pair was in no list for a day.
 */
export function planListing(
  known: readonly KnownInstance[],
  last: KnownList,
  list: MarketList,
  now: number,
): ListingPlan {
  if (list.venueTime !== null && last.venueTime !== null && list.venueTime < last.venueTime)
    return { accepted: false, reason: 'stale' }
  const bySymbol = new Map(list.markets.map((market) => [market.symbol, market]))
  const unread = new Set(list.unread.filter((symbol) => !bySymbol.has(symbol)))
  const count = bySymbol.size + unread.size
  const short = count < last.count * COMPLETE_SHARE
  const absence: Absence = {
    now,
    counts: !short && list.nameless === 0,
    lasts: last.listedAt !== null && now - last.listedAt <= PAUSE_MS_MAX,
  }
  const changes: ListingChange[] = []
  const knownSymbols = new Set<string>()
  for (const instance of known) {
    knownSymbols.add(instance.symbol)
    const change = unread.has(instance.symbol)
      ? returned(instance)
      : changeOf(instance, bySymbol.get(instance.symbol), absence)
    if (change !== null) changes.push(change)
  }
  for (const market of bySymbol.values())
    if (market.trading && !knownSymbols.has(market.symbol)) changes.push({ kind: 'listed', market, predecessor: null })
  // A short list from which nothing is missing any more is the new complete one.
  const complete = !short || !changes.some(({ kind }) => kind === 'missing')
  return { accepted: true, complete, count: complete ? count : last.count, changes }
}

/** What an absence from a list says. */
interface Absence {
  readonly now: number
  /** Whether the list counts among the three. */
  readonly counts: boolean
  /** Whether the absence may have begun in an earlier list. */
  readonly lasts: boolean
}

const returned = (instance: KnownInstance): ListingChange | null =>
  instance.trading !== 'delisted' && (instance.missingLists > 0 || instance.missingSince !== null)
    ? { kind: 'present', instance }
    : null

function changeOf(
  instance: KnownInstance,
  market: ListedMarket | undefined,
  { now, counts, lasts }: Absence,
): ListingChange | null {
  if (instance.trading === 'delisted')
    return market?.trading === true ? { kind: 'listed', market, predecessor: instance } : null
  if (market === undefined) {
    const lists = instance.missingLists + (counts ? 1 : 0)
    const since = (lasts ? instance.missingSince : null) ?? now
    if (lists >= MISSING_LISTS_MAX) return { kind: 'delisted', instance, cause: 'absent_from_three_lists' }
    if (now - since >= MISSING_MS_MAX) return { kind: 'delisted', instance, cause: 'absent_for_a_day' }
    return { kind: 'missing', instance, lists, since }
  }
  const status = `status_${market.status ?? 'inactive'}`.slice(0, 64)
  if (!market.trading) {
    if (instance.trading === 'trading') return { kind: 'halted', instance, cause: status }
    if (now - instance.tradingSince >= HALT_DELISTS_MS) return { kind: 'delisted', instance, cause: status }
  } else if (instance.trading === 'halted') return { kind: 'resumed', instance }
  return returned(instance)
}
