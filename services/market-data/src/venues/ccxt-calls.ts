import { isUnreadable, rowReader, type RowReader } from '@svc/contracts/market-data/answer-rows'
import { partsOf, type Cost, type VenueFile } from '@svc/contracts/market-data/venue-file'
import { leads } from '@svc/postgres'
import type { Clock } from '@svc/service'
import { ZodError } from 'zod'
import { VenueError, type Ask, type Book, type VenueErrorClass } from './rules/venue.ts'
import { ccxtClient, type AnswerNote, type CcxtClient, type NotedClient } from './ccxt-client.ts'
import { LIMITED_DEFAULT_MS } from './rules/limit-wait.ts'
import type { RequestBudget } from './request-budget.ts'

/** Longest wait for the allowance. The scan of a target waits; the rotation asks again later. */
export const BUDGET_WAIT_MS = { priority: 5_000, rotation: 500, backfill: 0 } as const

/** ccxt's families of errors, the most specific first. */
const KINDS: readonly (readonly [name: string, kind: VenueErrorClass])[] = [
  ['RequestTimeout', 'timeout'],
  ['DDoSProtection', 'rate_limited'],
  ['RateLimitExceeded', 'rate_limited'],
  ['ExchangeNotAvailable', 'server_error'],
  ['NetworkError', 'network'],
  ['BadResponse', 'bad_answer'],
  ['BaseError', 'refused'],
]

function classNames(error: unknown): string[] {
  const found: string[] = []
  for (let proto: unknown = error; typeof proto === 'object' && proto !== null; proto = Object.getPrototypeOf(proto))
    found.push(String(Reflect.get(proto, 'constructor')?.name))
  return found
}

/** Returns the class of an error that a call of ccxt threw. */
function classify(error: unknown, note: AnswerNote | undefined): VenueErrorClass {
  if (note?.retryAfterMs !== null && note?.retryAfterMs !== undefined) return 'rate_limited'
  if (note?.status !== null && note?.status !== undefined && note.status >= 500) return 'server_error'
  // ccxt's own parsers throw these for an answer with missing members.
  if (error instanceof SyntaxError || error instanceof TypeError || error instanceof ZodError) return 'bad_answer'
  const family = classNames(error)
  return KINDS.find(([name]) => family.includes(name))?.[1] ?? 'bad_answer'
}

/** Settings of a venue that is read through ccxt. */
export interface CcxtOptions {
  readonly exchange: string
  readonly file: VenueFile
  /** Address that answers in place of the venue; null for the venue's own. */
  readonly baseUrl: string | null
  readonly source: 'live' | 'replay'
  readonly budget: RequestBudget
  readonly clock: Clock
  /** Longest wait for one answer. */
  readonly timeoutMs: number
  /** Called when the venue has answered, be it with a refusal. */
  readonly onAnswer?: () => void
  /** Called with the number of rows that were left out of an answer. */
  readonly onLeftOut?: (rows: number) => void
}

type Work<T> = (client: CcxtClient) => Promise<T>
interface Answer<T> {
  readonly value: T
  readonly note: AnswerNote
  /** What every book of the answer carries. */
  readonly stamp: Pick<Book, 'receivedAt' | 'latencyMs' | 'limit' | 'venueTime' | 'synthetic'>
}

/** Calls of one exchange. Each takes its cost from the request budget and throws `VenueError` for every failure. */
export interface CcxtCalls {
  call<T>(cost: Cost, ask: Ask, work: Work<T>): Promise<Answer<T>>
  /** Loads the market list first if necessary: ccxt translates symbols with it. Concurrent calls load it once. */
  callListed<T>(cost: Cost, ask: Ask, work: Work<T>): Promise<Answer<T>>
  /** Returns ccxt's rows of the last market list, without a call; empty before the first. */
  listedMarkets(): Promise<Readonly<Record<string, unknown>>>
  /**
   * Returns what `read` makes of an answer, row by row, and tells how many rows were left out. Throws `VenueError` of class
   * `bad_answer` if `read` throws, or if ccxt left out too many of the rows that `count` counts in the value.
   */
  checked<T>(note: AnswerNote, read: (rows: RowReader, now: number) => T, count?: (value: T) => number): T
}

export function ccxtCalls({
  exchange,
  file,
  baseUrl,
  budget,
  clock,
  timeoutMs,
  onAnswer,
  onLeftOut,
}: CcxtOptions): CcxtCalls {
  let opening: Promise<NotedClient> | null = null
  const open = () =>
    (opening ??= ccxtClient(file.ccxt, { baseUrl, timeoutMs, now: () => clock.now().getTime(), limited: file.limited }))

  const call = async <T>(cost: Cost, ask: Ask, work: Work<T>): Promise<Answer<T>> => {
    const { priority, signal, waitMs = BUDGET_WAIT_MS[priority] } = ask
    // A process that wakes after another has taken its venue must not call it.
    if (signal.aborted || !leads()) throw new VenueError(exchange, 'budget', 'the caller has stopped')
    const started = performance.now()
    const { client, noted, noteOf } = await open()
    await budget.take(cost, priority, waitMs)
    try {
      const { value, note } = await noted(() => work(client))
      onAnswer?.()
      const stamp = {
        venueTime: note.venueTime,
        synthetic: note.booksSynthetic,
        receivedAt: clock.now().getTime(),
        latencyMs: Math.round(performance.now() - started),
        limit: file.books.levels,
      }
      return { value, note, stamp }
    } catch (error) {
      const note = noteOf(error)
      const kind = classify(error, note)
      // ccxt knows further words of venues for it.
      const retryMs = note?.retryAfterMs ?? (kind === 'rate_limited' ? LIMITED_DEFAULT_MS : 0)
      if (note?.status !== null && note?.status !== undefined && note.status < 500) onAnswer?.()
      // A website is another host: its refusal says nothing about the API.
      if (retryMs > 0 && partsOf(cost).pool !== 'website') await budget.close(retryMs).catch(() => {})
      if (error instanceof VenueError) throw error
      const detail = error instanceof Error ? error.message : 'unknown'
      throw new VenueError(exchange, kind, detail, retryMs, { cause: error })
    }
  }

  let listing: Promise<unknown> | null = null
  return {
    call,
    callListed: async (cost, ask, work) => {
      const { client } = await open()
      if (client.markets === undefined)
        await (listing ??= call(file.cost.markets, ask, () => client.loadMarkets()).finally(() => (listing = null)))
      return call(cost, ask, work)
    },
    listedMarkets: async () => (await open()).client.markets ?? {},
    checked: (note, read, count) => {
      const rows = rowReader()
      try {
        const value = read(rows, clock.now().getTime())
        if (count !== undefined && isUnreadable(count(value) + note.leftOut, note.leftOut))
          throw new SyntaxError(`${note.leftOut} rows of the answer cannot be read`)
        const leftOut = note.leftOut + rows.leftOut
        if (leftOut > 0) onLeftOut?.(leftOut)
        return value
      } catch (error) {
        const detail = error instanceof Error ? error.message : 'unreadable'
        throw new VenueError(exchange, 'bad_answer', detail, 0, { cause: error })
      }
    },
  }
}
