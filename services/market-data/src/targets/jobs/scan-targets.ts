import { metrics } from '@opentelemetry/api'
import { secondsOf, type Job } from '@svc/service'
import type { Context } from '#context.ts'
import { keepBook } from '#markets/keep-book.ts'
import { isCrossed } from '#markets/rules/book.ts'
import { failedScan, measureScan, SCAN_FLAGS, type ScanRow } from '../rules/scan.ts'
import { isDollar } from '#markets/rules/usd-rates.ts'
import type { Book, Candle, VenueAdapter } from '#venues/rules/venue.ts'
import { nextTurn, takeTurns, type ScanTurn } from '../store/scan-turns.ts'
import { insertScans, makePartitions } from '../store/scans.ts'

/** Parts of the context that are used here. */
type Parts = Pick<Context, 'pool' | 'clock' | 'led' | 'market' | 'errors' | 'scanning'>

/** Most turns of one venue per tick. A process that is killed loses at most these and its running calls. */
const TURNS_MAX = 300
/** Longest wait of a tick for its calls; a later tick stores the rows of the others. */
const TICK_MS = 300
const LOOK_MS = 100
/** Longest time until a turn is noticed that another process opened; a turn of this process wakes the job. */
const IDLE_MS = 15_000
/** Minutes of candles per scan: the last whole minute, and neighbours that show gaps of the venue. */
const CANDLES = 5
const MINUTE_MS = 60_000

const recordDelay = secondsOf(
  'hub_scan_start_delay_seconds',
  'Delay between the due time and the start of a scan',
  [0.1, 0.5, 1, 5, 15, 30, 60, 120, 300, 900],
)

const outcomes = metrics
  .getMeter('market-data')
  .createCounter('hub_scans_total', { description: 'Scans of targets by outcome: ok, or the class of the failure' })

/** Takes the due turns, starts their calls, and stores the rows of finished calls. */
export const scanTargets =
  (context: Parts): Job =>
  async (signal) => {
    const { pool, clock, led, scanning } = context
    const now = clock.now()
    const day = now.toISOString().slice(0, 10)
    if (scanning.partitionsOf !== day) {
      await makePartitions(pool, now)
      scanning.partitionsOf = day
    }
    // A scan that would only wait for its allowance stays in the table: it starts late instead of failing.
    const open = [...led.values()].map(({ adapter: { exchange, booksPerCall }, scansMax }) => ({
      exchange,
      max: Math.min(TURNS_MAX, (scansMax - scanning.underWay(exchange)) * booksPerCall),
      together: booksPerCall > 1,
    }))
    const turns = await takeTurns(
      pool,
      now,
      open.filter(({ max }) => max > 0),
    )
    for (const turn of turns) recordDelay((now.getTime() - Date.parse(turn.due_at)) / 1000)
    for (const [exchange, group] of Map.groupBy(turns, (turn) => turn.exchange)) {
      const adapter = led.get(exchange)?.adapter
      if (adapter === undefined) continue
      for (let start = 0; start < group.length; start += adapter.booksPerCall) {
        const call = group.slice(start, start + adapter.booksPerCall)
        scanning.start(exchange, () => scan(context, adapter, call, now, signal))
      }
    }
    await scanning.settled(TICK_MS)
    const rows = scanning.take()
    const next = await nextLook(context)
    if (rows.length === 0) return { done: 0, ...next }
    try {
      await insertScans(pool, rows)
    } catch (error) {
      scanning.giveBack(rows)
      throw error
    }
    for (const { error } of rows) outcomes.add(1, { outcome: error ?? 'ok' })
    return { done: rows.length, ...next }
  }

/** Returns the time of the next turn, or a time soon while calls run, to store their rows and use their free places. */
async function nextLook({ pool, clock, led, scanning }: Parts): Promise<{ nextAt?: Date }> {
  const now = clock.now().getTime()
  const busy = [...led.keys()].some((exchange) => scanning.underWay(exchange) > 0)
  const turn = busy ? now + LOOK_MS : await nextTurn(pool, [...led.keys()])
  return turn === null ? {} : { nextAt: new Date(Math.min(turn, now + IDLE_MS)) }
}

/** Scans pairs of a venue with one call for their books. Returns a row for every pair, also after a failure. */
async function scan(
  context: Parts,
  adapter: VenueAdapter,
  turns: readonly ScanTurn[],
  at: Date,
  signal: AbortSignal,
): Promise<readonly ScanRow[]> {
  const minute = new Date(Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS).toISOString()
  const state = context.market.of(adapter.exchange)
  for (const turn of turns) {
    state.askedAt.set(turn.instance_id, at.getTime())
    state.scannedAt.set(turn.instance_id, at.getTime())
  }
  try {
    const books = await adapter.books(
      turns.map((turn) => turn.symbol),
      { priority: 'priority', signal },
    )
    const bySymbol = new Map(books.map((book) => [book.symbol, book]))
    return await Promise.all(
      turns.map(async (turn) => {
        const book = bySymbol.get(turn.symbol)
        if (book === undefined || isEmpty(book)) {
          // A truncated answer is read as a book without levels.
          context.errors.add(adapter.exchange, 'bad_answer')
          return failedScan(turn.instance_id, minute, 'bad_answer')
        }
        const candles = await candlesOf(context, adapter, turn.symbol, signal)
        return scanOf(context, adapter, turn, { book, candles, minute })
      }),
    )
  } catch (error) {
    const { kind } = context.errors.count(error)
    return turns.map((turn) => failedScan(turn.instance_id, minute, kind))
  }
}

const isEmpty = ({ bids, asks }: Book) => bids.length === 0 && asks.length === 0

/** Returns the candles of a pair; null after a failure, which is counted. A scan without candles only lacks its volume. */
async function candlesOf(
  { errors }: Parts,
  adapter: VenueAdapter,
  symbol: string,
  signal: AbortSignal,
): Promise<readonly Candle[] | null> {
  try {
    return await adapter.candles(symbol, { priority: 'rotation', signal }, CANDLES)
  } catch (error) {
    errors.count(error)
    return null
  }
}

function scanOf(
  { market, clock }: Parts,
  adapter: VenueAdapter,
  turn: ScanTurn,
  seen: { readonly book: Book; readonly candles: readonly Candle[] | null; readonly minute: string },
): ScanRow {
  const { book, candles, minute } = seen
  const [state, now] = [market.of(turn.exchange), clock.now().getTime()]
  const usd = market.usdRate(turn.exchange, turn.quote) ?? (isDollar(turn.quote) ? 1 : null)
  state.booksSynthetic = book.synthetic
  const deeper = state.deeper.get(turn.instance_id) ?? null
  const row = measureScan({ instanceId: turn.instance_id, minute, book, candles, usd, deeper, now })
  // The board and the crisis rules use this book too, so that it is not read twice.
  if (!isCrossed(book) && (row.flags & SCAN_FLAGS.stale) === 0)
    keepBook(state, adapter, { instanceId: turn.instance_id, book, usd, deeper: false, now })
  return row
}
