import { bandsOf, depthOf, isCrossed, midOf, spreadBps, type BandDepths } from '#markets/rules/book.ts'
import type { Book, Candle, Side } from '#venues/rules/venue.ts'

/**
 * Bits of a scan's flags. A scan is good if it has no error and no bit other than `truncated` and `deeper`. `deeper`: its
 * depths are those of a deeper book of the minute before, which is read on a schedule.
 */
export const SCAN_FLAGS = { truncated: 1, oneSided: 2, crossed: 4, stale: 8, deeper: 16 } as const

/** Bits that make a scan unusable. */
export const SCAN_UNUSABLE = SCAN_FLAGS.oneSided | SCAN_FLAGS.crossed | SCAN_FLAGS.stale

/** Returns the flags of a scan as words, its failure first. */
export function scanWords(flags: number, error: string | null): string[] {
  const words = [
    ['truncated', SCAN_FLAGS.truncated],
    ['one_sided', SCAN_FLAGS.oneSided],
    ['crossed', SCAN_FLAGS.crossed],
    ['stale', SCAN_FLAGS.stale],
  ] as const
  return [...(error === null ? [] : [error]), ...words.flatMap(([word, bit]) => ((flags & bit) === 0 ? [] : [word]))]
}

/** A book older than this by the venue's own clock is stale. */
const BOOK_AGE_MAX_MS = 60_000
const MINUTE_MS = 60_000
const SKEW_MAX_MS = 2_000_000_000

/** One scan of a pair as it is stored, in dollars, basis points of the mid and milliseconds. Null is unknown. */
export interface ScanRow {
  readonly instance_id: number
  readonly minute: string
  readonly bid: number | null
  readonly ask: number | null
  readonly last: number | null
  readonly spread_bps: number | null
  readonly depth_bid_05_usd: number | null
  readonly depth_ask_05_usd: number | null
  readonly depth_bid_1_usd: number | null
  readonly depth_ask_1_usd: number | null
  readonly depth_bid_2_usd: number | null
  readonly depth_ask_2_usd: number | null
  readonly cost_buy_1k_bps: number | null
  readonly cost_sell_1k_bps: number | null
  readonly cost_buy_10k_bps: number | null
  readonly cost_sell_10k_bps: number | null
  readonly imbalance: number | null
  readonly volume_usd: number | null
  readonly trades: number | null
  readonly book_age_ms: number | null
  readonly latency_ms: number | null
  readonly skew_ms: number | null
  readonly flags: number
  readonly error: string | null
}

/** Returns the row of a failed scan, with the class of its failure. */
export function failedScan(instanceId: number, minute: string, error: string): ScanRow {
  return { ...NOTHING, instance_id: instanceId, minute, error }
}

const NOTHING: ScanRow = {
  instance_id: 0,
  minute: '',
  bid: null,
  ask: null,
  last: null,
  spread_bps: null,
  depth_bid_05_usd: null,
  depth_ask_05_usd: null,
  depth_bid_1_usd: null,
  depth_ask_1_usd: null,
  depth_bid_2_usd: null,
  depth_ask_2_usd: null,
  cost_buy_1k_bps: null,
  cost_sell_1k_bps: null,
  cost_buy_10k_bps: null,
  cost_sell_10k_bps: null,
  imbalance: null,
  volume_usd: null,
  trades: null,
  book_age_ms: null,
  latency_ms: null,
  skew_ms: null,
  flags: 0,
  error: null,
}

/**
 * Returns the figures of one minute from a book and candles. `usd` is the price of the quote currency; if it is null, all
 * dollar figures are null. Of a crossed book only the best prices are kept. Depths and imbalance of a truncated book are
 * those of the deeper book, if there is one.
 */
export function measureScan(seen: {
  readonly instanceId: number
  readonly minute: string
  readonly book: Book
  /** The newest candles, oldest first; null if they could not be read. */
  readonly candles: readonly Candle[] | null
  readonly usd: number | null
  /** A deeper book that is at most a minute older; null without one. */
  readonly deeper: { readonly bands: BandDepths; readonly truncated: boolean } | null
}): ScanRow {
  const { instanceId, minute, book, candles, usd, deeper } = seen
  const [bid, ask] = [book.bids[0]?.[0] ?? null, book.asks[0]?.[0] ?? null]
  const age = book.at === null || book.venueTime === null ? null : Math.max(0, book.venueTime - book.at)
  const crossed = isCrossed(book)
  const flags =
    (bid === null || ask === null ? SCAN_FLAGS.oneSided : 0) |
    (crossed ? SCAN_FLAGS.crossed : 0) |
    (age !== null && age > BOOK_AGE_MAX_MS ? SCAN_FLAGS.stale : 0)
  const measured = crossed ? null : measureSides(book, usd, deeper)
  return {
    ...NOTHING,
    instance_id: instanceId,
    minute,
    bid,
    ask,
    last: candles?.at(-1)?.close ?? null,
    ...measured?.figures,
    ...tradedBefore(Date.parse(minute), candles, usd),
    book_age_ms: age === null ? null : Math.min(age, SKEW_MAX_MS),
    latency_ms: book.latencyMs,
    skew_ms: book.venueTime === null ? null : clamp(book.venueTime - book.receivedAt),
    flags: flags | (measured?.flags ?? 0),
  }
}

const clamp = (ms: number) => Math.round(Math.max(-SKEW_MAX_MS, Math.min(SKEW_MAX_MS, ms)))

function measureSides(
  book: Book,
  usd: number | null,
  deeper: { readonly bands: BandDepths; readonly truncated: boolean } | null,
): { figures: Partial<ScanRow>; flags: number } | null {
  const [mid, usual] = [midOf(book), bandsOf(book)]
  const [bid, ask] = [book.bids[0]?.[0], book.asks[0]?.[0]]
  if (mid === null || usual === null || bid === undefined || ask === undefined) return null
  const cut = [book.bids, book.asks].some((side) => depthOf(side, mid, book.limit, 0.02).truncated)
  const used = cut ? deeper : null
  const bands = used?.bands ?? usual
  const truncated = used?.truncated ?? cut
  const dollars = (quote: number) => (usd === null ? null : quote * usd)
  const cost = (side: Side, size: number) => (usd === null ? null : costBps(side, mid, size / usd))
  const both = bands.bid2 + bands.ask2
  return {
    flags: (truncated ? SCAN_FLAGS.truncated : 0) | (used === null ? 0 : SCAN_FLAGS.deeper),
    figures: {
      spread_bps: spreadBps(bid, ask),
      depth_bid_05_usd: dollars(bands.bid05),
      depth_ask_05_usd: dollars(bands.ask05),
      depth_bid_1_usd: dollars(bands.bid1),
      depth_ask_1_usd: dollars(bands.ask1),
      depth_bid_2_usd: dollars(bands.bid2),
      depth_ask_2_usd: dollars(bands.ask2),
      cost_buy_1k_bps: cost(book.asks, 1_000),
      cost_sell_1k_bps: cost(book.bids, 1_000),
      cost_buy_10k_bps: cost(book.asks, 10_000),
      cost_sell_10k_bps: cost(book.bids, 10_000),
      imbalance: both === 0 ? null : bands.bid2 / both - 0.5,
    },
  }
}

/** Returns the cost of an order of `quote` against the mid, in bps; null if the side does not fill it. */
function costBps(side: Side, mid: number, quote: number): number | null {
  let [left, amount] = [quote, 0]
  for (const [price, size] of side) {
    const taken = Math.min(left, price * size)
    amount += taken / price
    left -= taken
    if (left <= 0) return Math.abs(quote / amount / mid - 1) * 10_000
  }
  return null
}

/**
 * Returns the volume of the minute before. Candles do not contain the number of trades, but show that there was no trade:
 * the minute has no volume, or the venue left it out between others.
 */
function tradedBefore(
  minute: number,
  candles: readonly Candle[] | null,
  usd: number | null,
): Pick<ScanRow, 'volume_usd' | 'trades'> {
  const before = minute - MINUTE_MS
  const first = candles?.[0]
  if (candles === null || first === undefined || first.at > before) return { volume_usd: null, trades: null }
  const candle = candles.find(({ at }) => at === before)
  if (candle === undefined || candle.volume === 0) return { volume_usd: 0, trades: 0 }
  return { volume_usd: usd === null ? null : candle.volume * candle.close * usd, trades: null }
}
