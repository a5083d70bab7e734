import { constants, crc32, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { ScanRow } from '#targets/rules/scan.ts'
import { readVarints, writeVarints } from './varints.ts'

type Figure = Exclude<keyof ScanRow, 'instance_id' | 'minute' | 'error'>

/** Scans of one pair in two hours as columns of equal length; `place` is the minute, from 0, ascending. */
export type ScanColumns = {
  readonly place: readonly number[]
  readonly error: readonly (string | null)[]
} & Readonly<Record<Figure, readonly (number | null)[]>>

/** First byte of a block; changes with the format. Blocks of version 1 lack the figures of `ADDED`. */
const VERSION = 2
const HEAD_BYTES = 5
const SCANS_MAX = 120
/** More than 120 scans can take as varints of eight bytes, with their errors. */
const PLAIN_BYTES_MAX = 64 * 1024
const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 12 } }

/** Integer prices stay below this, so that differences of differences are exact. */
const PRICE_UNITS_MAX = 2 ** 49
const PLACES_MAX = 18
/** Steps per factor e: half a step is a thousandth of the figure. */
const LOG_STEPS = 512

interface Scale {
  readonly toUnits: (value: number) => number
  readonly fromUnits: (units: number) => number
}

const steps = (size: number): Scale => ({
  toUnits: (value) => Math.round(value / size),
  fromUnits: (units) => units * size,
})
/** Steps that grow with the figure: proportional far above `unit`, constant far below it. */
const logarithmic = (unit: number): Scale => ({
  toUnits: (value) => Math.sign(value) * Math.round(LOG_STEPS * Math.log1p(Math.abs(value) / unit)),
  fromUnits: (units) => Math.sign(units) * unit * Math.expm1(Math.abs(units) / LOG_STEPS),
})
const DOLLARS = logarithmic(1)
const BPS = logarithmic(0.1)
const TEN_MS = steps(10)

/** Figures in the order of a block, after the prices. */
const SCALES = {
  spread_bps: BPS,
  depth_bid_05_usd: DOLLARS,
  depth_ask_05_usd: DOLLARS,
  depth_bid_1_usd: DOLLARS,
  depth_ask_1_usd: DOLLARS,
  depth_bid_2_usd: DOLLARS,
  depth_ask_2_usd: DOLLARS,
  cost_buy_1k_bps: BPS,
  cost_sell_1k_bps: BPS,
  cost_buy_10k_bps: BPS,
  cost_sell_10k_bps: BPS,
  imbalance: { toUnits: (value) => Math.round(value * 1_000), fromUnits: (units) => units / 1_000 },
  volume_usd: DOLLARS,
  trades: steps(1),
  book_age_ms: TEN_MS,
  latency_ms: TEN_MS,
  skew_ms: TEN_MS,
  flags: steps(1),
  depth_bid_01_usd: DOLLARS,
  depth_ask_01_usd: DOLLARS,
} as const satisfies Record<Exclude<Figure, 'bid' | 'ask' | 'last'>, Scale>

const ADDED: ReadonlySet<string> = new Set(['depth_bid_01_usd', 'depth_ask_01_usd'] satisfies Figure[])

/** Names of the figure columns. */
export const SCAN_FIGURES: readonly Figure[] = [
  'bid',
  'ask',
  'last',
  ...(Object.keys(SCALES) as (keyof typeof SCALES)[]),
]

/**
 * Packs 1 to 120 scans. Minutes, nulls, errors, flags and numbers of trades are exact. Prices are exact if all prices of
 * the block fit one number of decimal places and 14 digits; otherwise they are exact to 14 digits of the largest price.
 * Dollars are kept to 0.1 % plus 0.001, basis points to 0.1 % plus 0.0001, imbalance to 0.0005, times to 5 ms.
 */
export function packScans(columns: ScanColumns): Buffer {
  const { place, error, bid } = columns
  const body = writeVarints()
  body.count(place.length)
  const prices = [bid, columns.ask, columns.last]
  const scale = priceScale(prices.flat().filter((price) => price !== null))
  body.signed(scale.places)
  const errors = [...new Set(error.filter((one) => one !== null))]
  body.count(errors.length)
  for (const one of errors) body.text(one)
  body.column(place)
  body.column(error.map((one) => (one === null ? null : errors.indexOf(one))))
  const [bids = [], ...others] = prices.map((column) => column.map((one) => (one === null ? null : scale.toUnits(one))))
  body.column(bids)
  // Asks and last prices move with the bids: differences from the bid are smaller.
  for (const column of others) body.column(column.map((one, at) => (one === null ? null : one - (bids[at] ?? 0))))
  for (const [name, { toUnits }] of Object.entries(SCALES) as [keyof typeof SCALES, Scale][])
    body.column(columns[name].map((one) => (one === null ? null : toUnits(one))))
  const packed = zstdCompressSync(body.bytes(), ZSTD)
  const block = Buffer.alloc(HEAD_BYTES + packed.length)
  block.writeUInt8(VERSION, 0)
  packed.copy(block, HEAD_BYTES)
  block.writeUInt32LE(checksum(block), 1)
  return block
}

/** Returns the scans that `packScans` packed. Throws if the block has another version or is damaged. */
export function unpackScans(block: Buffer): ScanColumns {
  if (block.length < HEAD_BYTES)
    throw new Error(`a block of scans has at least ${HEAD_BYTES} bytes; this block has ${block.length}.`)
  const [version = 0] = block
  if (version !== 1 && version !== VERSION)
    throw new Error(`the block of scans has version ${version}; only versions 1 and ${VERSION} can be read.`)
  if (block.readUInt32LE(1) !== checksum(block)) throw new Error('the block of scans is damaged: its checksum differs.')
  const body = readVarints(zstdDecompressSync(block.subarray(HEAD_BYTES), { maxOutputLength: PLAIN_BYTES_MAX }))
  const scans = body.count(SCANS_MAX)
  const scale = decimal(body.signed())
  const errors = Array.from({ length: body.count(scans) }, () => body.text())
  const place = body.column(scans).map((one) => one ?? NaN)
  const error = body.column(scans).map((one) => (one === null ? null : (errors[one] ?? null)))
  const bids = body.column(scans)
  const price = (column: readonly (number | null)[]) =>
    column.map((one) => (one === null ? null : scale.fromUnits(one)))
  const besideBids = () => price(body.column(scans).map((one, at) => (one === null ? null : one + (bids[at] ?? 0))))
  const prices = { bid: price(bids), ask: besideBids(), last: besideBids() }
  const unknown = Array.from({ length: scans }, () => null)
  const figures = Object.fromEntries(
    Object.entries(SCALES).map(([name, { fromUnits }]) => [
      name,
      (version === 1 && ADDED.has(name) ? unknown : body.column(scans)).map((one) =>
        one === null ? null : fromUnits(one),
      ),
    ]),
  ) as Record<keyof typeof SCALES, (number | null)[]>
  body.end()
  return { place, error, ...prices, ...figures }
}

/** Returns the checksum of a block without its checksum. */
const checksum = (block: Buffer) => crc32(block.subarray(HEAD_BYTES), crc32(block.subarray(0, 1)))

/** Returns the scale of integers in units of 10^-places; `places` may be negative. */
function decimal(places: number): Scale & { readonly places: number } {
  const factor = Number(`1e${Math.abs(places)}`)
  return places >= 0
    ? { places, toUnits: (value) => Math.round(value * factor), fromUnits: (units) => units / factor }
    : { places, toUnits: (value) => Math.round(value / factor), fromUnits: (units) => units * factor }
}

/** Returns the fewest decimal places that represent all prices exactly, or else the most that fit. */
function priceScale(prices: readonly number[]): ReturnType<typeof decimal> {
  const greatest = prices.reduce((max, price) => Math.max(max, Math.abs(price)), 0)
  if (greatest === 0) return decimal(0)
  const most = Math.min(300, Math.floor(Math.log10(PRICE_UNITS_MAX / greatest)))
  for (let places = 0; places <= Math.min(PLACES_MAX, most); places += 1) {
    const scale = decimal(places)
    if (prices.every((price) => scale.fromUnits(scale.toUnits(price)) === price)) return scale
  }
  return decimal(most)
}
