import type { VenueMarketView } from '@svc/contracts/hl-relay/markets'
import type { Book } from '@svc/venue/rules/walk-book'
import type { Context } from '#context.ts'
import {
  changeShadowBook,
  openShadowBook,
  shadowState,
  type ShadowChange,
  type ShadowRow,
} from '#gaps/store/shadow-books.ts'
import type { Signal } from '#signals/store/signals.ts'
import { decidedSignal } from '#follows/decided-signal.ts'
import { readBook, readPrices } from './prices.ts'
import { freshUntil } from '#follows/rules/decide-signal.ts'
import { takerFeeOf } from '#follows/rules/taker-fee.ts'
import { afterFill, SHADOW_START, shadowEquity, shadowFill, type ShadowState } from './rules/shadow-book.ts'
import { runnerTransaction } from './store-verdict.ts'

/** A listing whose signals the house runner follows in a dry run. */
export interface Scored {
  readonly listingId: string
  readonly vaultId: string
  readonly agentId: number
}

/**
 * Scores signals of a listing in its shadow book, each once and in their order: a signal in its time is filled from the
 * venue's book as it is now, a late one is passed over. Rejects with an outage of the venue; nothing is scored then.
 */
export async function scoreShadow(context: Context, scored: Scored, signals: readonly Signal[]): Promise<void> {
  const [first] = signals
  if (first === undefined) return
  const { pool, clock } = context
  await openShadowBook(pool, { ...scored, start: SHADOW_START, scoredSeq: first.seq - 1 }, clock.now())
  const was = await shadowState(pool, scored.listingId)
  const due = was === null ? [] : signals.filter(({ seq }) => seq > was.scoredSeq)
  if (was === null || due[0]?.seq !== was.scoredSeq + 1) return
  const fresh = due.filter((signal) => isFresh(signal, clock.now()))
  const markets = [...new Set([...fresh.map(({ market }) => market), ...Object.keys(was.positions)])]
  const prices = fresh.length === 0 ? new Map<string, VenueMarketView>() : await readPrices(context, markets)
  const books = new Map(
    await Promise.all(
      [...new Set(fresh.map(({ market }) => market))]
        .filter((market) => prices.has(market))
        .map(async (market) => [market, await readBook(context, market)] as const),
    ),
  )
  const change = scoreAll(was, due, { prices, books, now: clock.now() })
  await runnerTransaction(context, (tx) => changeShadowBook(tx, was, change, clock.now()))
}

/** Whether a signal is still followed at a time. */
export const isFresh = (signal: Signal, now: Date): boolean => now.getTime() <= freshUntil(decidedSignal(signal))

/** What the venue shows while signals are scored. */
interface Venue {
  readonly prices: ReadonlyMap<string, VenueMarketView>
  readonly books: ReadonlyMap<string, Book>
  readonly now: Date
}

function scoreAll(was: ShadowRow, due: readonly Signal[], { prices, books, now }: Venue): ShadowChange {
  const marks = new Map([...prices].map(([id, { mark_price }]) => [id, mark_price]))
  let state: ShadowState = was
  const fills: ShadowChange['fills'][number][] = []
  for (const signal of due) {
    const [market, book] = [prices.get(signal.market), books.get(signal.market)]
    const equity = shadowEquity(state, marks)
    if (!isFresh(signal, now) || market === undefined || book === undefined || equity === null) continue
    const seen = { mark: market.mark_price, takerFee: takerFeeOf(signal.market), sizeDecimals: market.size_decimals }
    const held = state.positions[signal.market] ?? '0'
    const fill = shadowFill(decidedSignal(signal), { equity, held }, seen, book)
    if (fill === null) continue
    state = afterFill(state, signal.market, fill)
    fills.push({ seq: signal.seq, market: signal.market, signalPrice: signal.recorded_price, ...fill })
  }
  const { cash, positions } = state
  const scoredSeq = due.at(-1)?.seq ?? was.scoredSeq
  const equity = shadowEquity(state, marks) ?? cash
  return { cash, positions, equity, scoredSeq, fills, funding: 0n, marks: false }
}
