import { isCrossed, measureBook, midOf, type BandDepth } from '#markets/rules/book.ts'
import { newDepth, type DeeperBooks } from '#markets/rules/deeper-books.ts'
import type { Book, Candle, Side } from '#venues/rules/venue.ts'

/**
 * Bits of a scan's flags. A scan is good if it has no error and none of `SCAN_UNUSABLE`. `truncated`: its depth within 2 %
 * of the mid is a lower bound; `cut1`, `cut05` and `cut01`: those of the narrower bands are. `deeper`: its depth within 2 %
 * is that of a deeper book of the minute before, which is read on a schedule.
 */
export const SCAN_FLAGS = {
  truncated: 1,
  oneSided: 2,
  crossed: 4,
  stale: 8,
  deeper: 16,
  cut1: 32,
  cut05: 64,
  cut01: 128,
} as const

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
  readonly depth_bid_01_usd: number | null
  readonly depth_ask_01_usd: number | null
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
  depth_bid_01_usd: null,
  depth_ask_01_usd: null,
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
 * dollar figures are null. Of a crossed book only the best prices are kept. A band in which the book ended takes its depth
 * from a deeper book of this minute; if that is older, but still fresh, the depth is null, and without one a lower bound.
 */
export function measureScan(seen: {
  readonly instanceId: number
  readonly minute: string
  readonly book: Book
  /** The newest candles, oldest first; null if they could not be read. */
  readonly candles: readonly Candle[] | null
  readonly usd: number | null
  /** The deeper books of the pair; null if its usual book is enough. */
  readonly deeper: DeeperBooks | null
  /** The service's clock, milliseconds. */
  readonly now: number
}): ScanRow {
  const { instanceId, minute, book, candles, usd, deeper, now } = seen
  const [bid, ask] = [book.bids[0]?.[0] ?? null, book.asks[0]?.[0] ?? null]
  const age = book.at === null || book.venueTime === null ? null : Math.max(0, book.venueTime - book.at)
  const crossed = isCrossed(book)
  const flags =
    (bid === null || ask === null ? SCAN_FLAGS.oneSided : 0) |
    (crossed ? SCAN_FLAGS.crossed : 0) |
    (age !== null && age > BOOK_AGE_MAX_MS ? SCAN_FLAGS.stale : 0)
  const measured = crossed ? null : measureSides(book, usd, { deeper, now })
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
  { deeper, now }: { readonly deeper: DeeperBooks | null; readonly now: number },
): { figures: Partial<ScanRow>; flags: number } | null {
  const { spreadBps, bands } = measureBook(book)
  const mid = midOf(book)
  if (mid === null || bands === null) return null
  const newest = deeper?.newest ?? null
  const ofDeeper = newest !== null && now - newest.at < MINUTE_MS ? newest.bands : null
  const bandAt = (place: 0 | 1 | 2 | 3) =>
    (bands[place].isLowerBound ? ofDeeper?.[place] : undefined) ?? newDepth(bands[place], deeper, now)
  const [in01, in05, in1, in2] = [bandAt(0), bandAt(1), bandAt(2), bandAt(3)]
  const dollars = (quote: number | undefined) => (usd === null || quote === undefined ? null : quote * usd)
  const cost = (side: Side, size: number) => (usd === null ? null : costBps(side, mid, size / usd))
  const cut = (band: BandDepth | null, bit: number) => (band?.isLowerBound === true ? bit : 0)
  const both = in2 === null ? 0 : in2.bid + in2.ask
  return {
    flags:
      cut(in2, SCAN_FLAGS.truncated) |
      cut(in1, SCAN_FLAGS.cut1) |
      cut(in05, SCAN_FLAGS.cut05) |
      cut(in01, SCAN_FLAGS.cut01) |
      (bands[3].isLowerBound && ofDeeper !== null ? SCAN_FLAGS.deeper : 0),
    figures: {
      spread_bps: spreadBps,
      depth_bid_01_usd: dollars(in01?.bid),
      depth_ask_01_usd: dollars(in01?.ask),
      depth_bid_05_usd: dollars(in05?.bid),
      depth_ask_05_usd: dollars(in05?.ask),
      depth_bid_1_usd: dollars(in1?.bid),
      depth_ask_1_usd: dollars(in1?.ask),
      depth_bid_2_usd: dollars(in2?.bid),
      depth_ask_2_usd: dollars(in2?.ask),
      cost_buy_1k_bps: cost(book.asks, 1_000),
      cost_sell_1k_bps: cost(book.bids, 1_000),
      cost_buy_10k_bps: cost(book.asks, 10_000),
      cost_sell_10k_bps: cost(book.bids, 10_000),
      imbalance: in2 === null || both === 0 ? null : in2.bid / both - 0.5,
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
