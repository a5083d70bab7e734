/** Returns the id under which mandates name a market of the venue: `hl:BTC`, or `hl:xyz:TSLA` on another dex. */
export const marketIdOf = (coin: string): string => `hl:${coin}`

/** Returns the venue's name of a market; null if the id does not name a market of the venue. */
export const coinOf = (marketId: string): string | null => (marketId.startsWith('hl:') ? marketId.slice(3) : null)

/** Returns the dex of a market by the venue's name; `''` is the main one. */
export const dexOf = (coin: string): string => (coin.includes(':') ? (coin.split(':')[0] ?? '') : '')

/** Number under which orders name the market at a place of the dex at `dexPlace` of the venue's list. */
export const assetOf = (dexPlace: number, place: number): number =>
  dexPlace === 0 ? place : 100_000 + dexPlace * 10_000 + place
