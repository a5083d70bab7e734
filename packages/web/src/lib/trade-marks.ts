import { readCall, type CallMarket, type CallMeaning } from '@svc/limits/call-meaning'
import { unitsOf } from './money.ts'
import { bodyNumber, bodyText, type RecordStep } from './record.ts'
import type { TimelineItem } from './timeline.ts'

/** What a mark of the picture stands for. */
export type MarkKind = 'buy' | 'sell' | 'refused' | 'question'

/** A trade, a refused attempt or a question to the owner. Amounts and prices are USDC base units. */
export interface TradeMark {
  /** Number of its entry in the record. */
  readonly seq: number
  /** Milliseconds since 1970. */
  readonly at: number
  readonly kind: MarkKind
  /** What it was called in the timeline. */
  readonly what: string
  /** An asset of a vault market, or the id of a market at the venue; null if the call cannot be read. */
  readonly asset: string | null
  /** What was spent, received or asked for; null if unknown. */
  readonly amount: bigint | null
  /** Units that a sale named, in integers of 0.000001; null if unknown. */
  readonly units: bigint | null
  /** The price of the fill for a whole unit; null if the record does not have it. */
  readonly price: bigint | null
  /** Block of a trade on the chain; null for anything else. */
  readonly block: number | null
  /** A redemption, which sells all units of the asset. */
  readonly redeems: boolean
  /** True if it opens or enlarges a position, false if it reduces one; null if the record does not say. */
  readonly opening: boolean | null
}

const KINDS: Readonly<Record<string, MarkKind>> = {
  bought: 'buy',
  leg_bought: 'buy',
  sold: 'sell',
  closed_position: 'sell',
  leg_sold: 'sell',
  approval_requested: 'question',
}

/** Returns the marks of a timeline, oldest first. */
export function tradeMarks(items: readonly TimelineItem[], markets: readonly CallMarket[] | undefined): TradeMark[] {
  return standing(items)
    .flatMap((item) => markOf(item, markets ?? []) ?? [])
    .toSorted((one, other) => one.at - other.at || one.seq - other.seq)
}

/** Leaves out facts that a later revision replaces, or that a reorganisation took back. */
function standing(items: readonly TimelineItem[]): readonly TimelineItem[] {
  const keyOf = ({ step }: TimelineItem) => `${step.tx_hash ?? ''}:${bodyNumber(step, 'log_ordinal') ?? 0}`
  const facts = items
    .filter(({ step }) => step.kind.startsWith('chain_fact'))
    .toSorted((a, b) => a.step.seq - b.step.seq)
  const newest = new Map(facts.map((item) => [keyOf(item), item.step.seq]))
  return items.filter((item) => !item.step.kind.startsWith('chain_fact') || newest.get(keyOf(item)) === item.step.seq)
}

function markOf(item: TimelineItem, markets: readonly CallMarket[]): TradeMark | null {
  const { step, what, call, order } = item
  const read = call === null || call.data === null ? null : readCall({ target: call.target, data: call.data }, markets)
  const meaning = typeof read === 'string' ? null : read
  const kind = kindOf(item, meaning)
  if (kind === null) return null
  const amount = item.amount === null ? null : item.amount < 0n ? -item.amount : item.amount
  const units = meaning?.units ?? null
  return {
    seq: step.seq,
    at: Date.parse(item.at),
    kind,
    what,
    asset: meaning?.instrument ?? order?.market ?? bodyText(step, 'market'),
    amount,
    units,
    price: kind === 'sell' && step.kind === 'chain_fact' ? priceOf(amount, units) : legPrice(item),
    block: step.kind === 'chain_fact' ? bodyNumber(step, 'block_number') : null,
    redeems: meaning?.action === 'redeem',
    opening: openingOf(step, meaning),
  }
}

/** An order of the leg says it itself; the vault has no shorts, so that its purchases open and its sales close. */
function openingOf({ body }: RecordStep, meaning: CallMeaning | null): boolean | null {
  if (typeof body['opening'] === 'boolean') return body['opening']
  return meaning === null ? null : meaning.action === 'buy'
}

function kindOf({ step, what }: TimelineItem, meaning: CallMeaning | null): MarkKind | null {
  if (step.kind === 'refused') return 'refused'
  if (what === 'traded' && meaning !== null) return meaning.action === 'buy' ? 'buy' : 'sell'
  return KINDS[what] ?? null
}

const ONE = 1_000_000n

/** Returns the price of a whole unit; null if an amount is unknown or there are no units. */
const priceOf = (amount: bigint | null, units: bigint | null): bigint | null =>
  amount === null || units === null || units === 0n ? null : (amount * ONE) / units

/** Prices of the venue may have more decimals than USDC; what is beyond them is cut. */
const legPrice = ({ step }: TimelineItem): bigint | null => {
  const text = step.kind === 'leg_order' ? bodyText(step, 'average_price') : null
  return text === null ? null : venuePrice(text)
}

/** Returns a price of the venue in USDC base units; null if it is no plain number. */
export const venuePrice = (text: string): bigint | null =>
  /^\d{1,30}(?:\.\d+)?$/.test(text) ? unitsOf(text.replace(/(\.\d{6})\d+$/, '$1')) : null

/** The positions of a mark of the worth; absent or null is unknown. */
export interface MarkedPositions {
  readonly at: string
  readonly block_number: number
  /** What all positions would sell for; null if one of them has no price, so that `positions` leaves it out. */
  readonly positions_usdc: string | null
  readonly positions?:
    | readonly { readonly asset: string; readonly units: string; readonly worth_usdc: string }[]
    | null
    | undefined
}

/** A price at a time; null from when on it is unknown. */
export interface PricePoint {
  readonly at: number
  readonly price: bigint | null
}

/** Returns the assets of marks, the one that was used last first. */
export const assetsOf = (marks: readonly TradeMark[]): readonly string[] => [
  ...new Set(marks.toReversed().flatMap(({ asset }) => asset ?? [])),
]

/**
 * Returns what is known of the price of an asset over time, oldest first: what the venue would have paid at each mark of the
 * worth, and the prices of fills. `now` is a price that is newer than both.
 */
export function pricesOf(
  asset: string,
  worth: readonly MarkedPositions[],
  marks: readonly TradeMark[],
  now: PricePoint | null = null,
): readonly PricePoint[] {
  const marked = worth.map((row): PricePoint => {
    const held = heldIn(row, asset)
    return { at: Date.parse(row.at), price: held === null ? null : priceOf(held.worth, held.units) }
  })
  const fills = marks.flatMap(({ asset: of, at, price }) => (of === asset && price !== null ? [{ at, price }] : []))
  // A market of the venue is in no mark of the vault: its fills hold until the next one.
  const known = marked.some(({ price }) => price !== null) ? [...marked, ...fills] : fills
  return [...known, ...(now === null ? [] : [now])].toSorted((one, other) => one.at - other.at)
}

/** Returns the price that is nearest in time and known, the one before first; null without any. */
export function priceAt(points: readonly PricePoint[], at: number): bigint | null {
  const before = points.findLast((point) => point.at <= at && point.price !== null)
  return (before ?? points.find(({ price }) => price !== null))?.price ?? null
}

/** What became of an asset in the vault. Null is unknown. */
export interface AssetResult {
  readonly asset: string
  /** Integers of 0.000001; zero once all is sold. */
  readonly units: bigint | null
  /** Average price of all purchases since the last redemption. */
  readonly entry: bigint | null
  readonly mark: bigint | null
  readonly worth: bigint | null
  /** Worth and what was received, less what was spent. */
  readonly result: bigint | null
}

/**
 * Returns what became of each asset of the vault that was traded, by the newest mark of the worth. Nothing is known of any asset
 * while a trade of the vault has none, since it may be of any of them.
 */
export function assetResults(marks: readonly TradeMark[], newest: MarkedPositions | null): readonly AssetResult[] {
  const trades = marks.filter(({ kind, block }) => block !== null && (kind === 'buy' || kind === 'sell'))
  if (trades.some(({ asset }) => asset === null)) return assetsOf(trades).map((asset) => ({ asset, ...UNKNOWN_RESULT }))
  return assetsOf(trades).map((asset) =>
    resultOf(
      asset,
      trades.filter((trade) => trade.asset === asset),
      newest,
    ),
  )
}

const UNKNOWN_RESULT = { units: null, entry: null, mark: null, worth: null, result: null } as const

function resultOf(asset: string, trades: readonly TradeMark[], newest: MarkedPositions | null): AssetResult {
  const held = heldOf(asset, trades, newest)
  const [units, worth] = [held?.units ?? null, held?.worth ?? null]
  const spent = sumOf(trades, 'buy', 'amount')
  const received = sumOf(trades, 'sell', 'amount')
  const since = trades.slice(trades.findLastIndex(({ redeems }) => redeems) + 1)
  const [paid, sold] = [sumOf(since, 'buy', 'amount'), sumOf(since, 'sell', 'units')]
  const bought = units === null || sold === null ? null : units + sold
  return {
    asset,
    units,
    worth,
    mark: priceOf(worth, units),
    entry: priceOf(paid, bought),
    result: worth === null || spent === null || received === null ? null : worth + received - spent,
  }
}

/** Returns what is held; null if the newest mark is older than the last trade, or does not tell. */
function heldOf(asset: string, trades: readonly TradeMark[], newest: MarkedPositions | null) {
  const last = trades.at(-1)?.block ?? 0
  if (newest?.positions == null || newest.block_number < last) return null
  const held = heldIn(newest, asset)
  if (held !== null) return held
  // A mark has the largest positions that have a price alone.
  const hasAll = newest.positions_usdc !== null && newest.positions.length < MARKED_MAX
  return hasAll ? { units: 0n, worth: 0n } : null
}

/** Returns what a mark has of an asset, which two venues may hold under one name; null if it does not name it. */
function heldIn({ positions }: MarkedPositions, asset: string) {
  const rows = positions?.filter((position) => position.asset === asset) ?? []
  if (rows.length === 0) return null
  return {
    units: rows.reduce((sum, { units }) => sum + unitsOf(units), 0n),
    worth: rows.reduce((sum, { worth_usdc }) => sum + unitsOf(worth_usdc), 0n),
  }
}
const MARKED_MAX = 8

function sumOf(trades: readonly TradeMark[], kind: MarkKind, figure: 'amount' | 'units'): bigint | null {
  const figures = trades.filter((trade) => trade.kind === kind).map((trade) => trade[figure])
  return figures.every((one) => one !== null) ? figures.reduce((sum, one) => sum + one, 0n) : null
}
