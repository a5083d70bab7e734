import { BREADTH_VENUES, venueFile } from '@svc/contracts/market-data/venues'

/**
 * The venues whose market lists are counted as breadth, the frozen list `regulated-1`: ADR 32 gives the grounds. A change of
 * the list is a new version of the risk model.
 */
export const REGULATED_VENUES: readonly { readonly id: string; readonly name: string; readonly states: string }[] =
  BREADTH_VENUES.flatMap((id) => {
    const { regulated } = venueFile(id)
    return regulated === undefined ? [] : [{ id, ...regulated }]
  })

/** A market list as it was read. */
export interface RegulatedList {
  readonly venue: string
  /** When the list was read, milliseconds. */
  readonly readAt: number
  /** Base assets with a market that trades, in ccxt's unified codes. */
  readonly bases: ReadonlySet<string>
}

/** An older list is unknown. */
export const REGULATED_LIST_AGE_MAX_MS = 3 * 86_400_000
/** With fewer current lists the breadth is unknown. */
export const REGULATED_LISTS_MIN = 2

/** Tickers under which venues have traded two assets. An equal ticker proves nothing about them, so their breadth is unknown. */
export const AMBIGUOUS_TICKERS: ReadonlySet<string> = new Set(
  'BEAM BTT FTM IOTA LSK LUNA NEIRO ONE STX TON UST USTC VELO ZETA'.split(' '),
)

/** Returns the asset behind a ticker that a venue trades in thousands or millions: 1000SATS, 1MBABYDOGE. */
export const assetOfTicker = (base: string): string => base.replace(/^(?:1000000|1000|1M)(?=[A-Z])/, '')

/** Returns the lists that count at a time: one per venue, the newest, none that is too old or from the future. */
export function currentLists(
  lists: readonly RegulatedList[],
  now: number,
  ageMaxMs = REGULATED_LIST_AGE_MAX_MS,
): readonly RegulatedList[] {
  const newest = new Map<string, RegulatedList>()
  for (const list of lists) {
    if (list.readAt > now || now - list.readAt > ageMaxMs) continue
    const known = newest.get(list.venue)
    if (known === undefined || list.readAt > known.readAt) newest.set(list.venue, list)
  }
  return [...newest.values()]
}

/**
 * Returns on how many regulated venues an asset trades, by its ticker. Null with fewer than two current lists, and for a
 * ticker that denotes two assets: unknown is not zero. A missing list is missing for every asset, so ranks stay comparable.
 */
export function regulatedBreadth(
  lists: readonly RegulatedList[],
  now: number,
  ageMaxMs = REGULATED_LIST_AGE_MAX_MS,
): (base: string) => number | null {
  const current = currentLists(lists, now, ageMaxMs)
  return (base) => {
    const asset = assetOfTicker(base)
    if (current.length < REGULATED_LISTS_MIN || AMBIGUOUS_TICKERS.has(asset)) return null
    return current.filter(({ bases }) => bases.has(asset)).length
  }
}

/** Returns the assets of a market list that trade there, sorted, each once. */
export const tradedAssets = (markets: readonly { readonly base: string; readonly trading: boolean }[]): string[] =>
  [...new Set(markets.flatMap(({ base, trading }) => (trading ? [base] : [])))].toSorted()
