import { AsyncLocalStorage } from 'node:async_hooks'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { EndpointClient, LimitForms } from '@svc/contracts/market-data/venue-file'
import { z } from 'zod'
import { headerTime, limitWait } from './rules/limit-wait.ts'
import { TIMES, timeIn } from './rules/venue-times.ts'
import { dropBareRows } from './rules/bare-rows.ts'

type Row = Readonly<Record<string, unknown>>

/** Arguments of ccxt's hook for errors. */
type RawAnswer = [
  status: number,
  reason: string,
  url: string,
  method: string,
  headers: Row,
  body: string,
  parsed: unknown,
  ...rest: unknown[],
]

/** The part of a ccxt exchange that this service uses. `ccxt-answers.ts` checks its answers. */
export interface CcxtClient extends EndpointClient {
  urls: { api: unknown }
  readonly options: Record<string, unknown>
  readonly markets: Readonly<Record<string, Row>> | undefined
  readonly symbols: readonly string[]
  loadMarkets(reload?: boolean): Promise<unknown>
  fetchMarkets(params?: object): Promise<readonly unknown[]>
  fetchTickers(): Promise<unknown>
  fetchCurrencies(): Promise<unknown>
  fetchBidsAsks(): Promise<unknown>
  fetchOrderBook(symbol: string, limit: number): Promise<unknown>
  fetchTrades(symbol: string, since: undefined, limit: number): Promise<unknown>
  fetchOHLCV(symbol: string, timeframe: string, since: undefined, limit: number): Promise<unknown>
  safeSymbol(id: string): string
  safeCurrencyCode(id: string): string
  fetch(address: string): Promise<unknown>
  readPage(address: string): Promise<unknown>
  milliseconds(): number
  /** Unit of the precisions of a market, as ccxt numbers it: see `amountStepOf`. */
  readonly precisionMode: number
  handleErrors(...answer: RawAnswer): unknown
}

/** Status and headers of the last answer of a call. */
export interface AnswerNote {
  status: number | null
  /** `Date` header, milliseconds. */
  venueTime: number | null
  /** Milliseconds to wait, if the answer says that the request limit was exceeded. */
  retryAfterMs: number | null
  /** A replay states that its books are synthesised. */
  booksSynthetic: boolean
  /** Rows that were left out of the answers before ccxt read them, or because it could not. */
  leftOut: number
}

/** A client, and `noted`, which runs one call and returns its value with the note of its last answer. */
export interface NotedClient {
  readonly client: CcxtClient
  noted<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly note: AnswerNote }>
  /** Returns the note of a failed call by its error. */
  noteOf(error: unknown): AnswerNote | undefined
}

/** Returns the note of a call without an answer. */
export const unasked = (): AnswerNote => ({
  status: null,
  venueTime: null,
  retryAfterMs: null,
  booksSynthetic: false,
  leftOut: 0,
})

const loaded = z.object({
  default: z.custom<new (options: object) => CcxtClient>((value) => typeof value === 'function'),
})

const booksSynthetic = (headers: Row): boolean =>
  Object.entries(headers).some(([name, value]) => name.toLowerCase() === 'x-replay-books' && value === 'synthesised')

/** Replaces the origin of every address in ccxt's tree of addresses, keeping the paths. */
function redirect(tree: unknown, base: string): unknown {
  if (typeof tree === 'string') {
    if (!/^https?:/.test(tree)) return tree
    const { pathname } = new URL(tree.replaceAll(/[{}]/g, '_'))
    return `${base.replace(/\/$/, '')}${pathname === '/' ? '' : pathname}`
  }
  if (typeof tree !== 'object' || tree === null) return tree
  return Object.fromEntries(Object.entries(tree).map(([name, value]) => [name, redirect(value, base)]))
}

/** Replaces the origin of one address, keeping its path and query. */
function redirectPage(address: string, base: string): string {
  const { pathname, search } = new URL(address)
  return `${base.replace(/\/$/, '')}${pathname}${search}`
}

/** Returns ccxt's option for the kinds of markets, limited to spot: a list for most exchanges, switches for some. */
function spotOnly(given: unknown): object {
  const own = typeof given === 'object' && given !== null && !Array.isArray(given) ? given : {}
  const types: unknown = Reflect.get(own, 'types')
  const switches = typeof types === 'object' && types !== null && !Array.isArray(types)
  return { ...own, types: switches ? { spot: true } : ['spot'] }
}

/** Makes ccxt's readers of a market, a ticker or a currency leave out a row at which they fail, instead of its list. */
function readOneByOne(client: CcxtClient, leaveOut: () => void): void {
  const instead: Readonly<Record<string, unknown>> = { parseMarket: null, parseTicker: {}, parseCurrency: undefined }
  for (const [name, nothing] of Object.entries(instead)) {
    const read: unknown = Reflect.get(client, name)
    if (typeof read !== 'function') continue
    const one = (...row: unknown[]): unknown => {
      try {
        return Reflect.apply(read, client, row)
      } catch {
        leaveOut()
        return nothing
      }
    }
    Reflect.set(client, name, one)
  }
  const list = client.fetchMarkets.bind(client)
  client.fetchMarkets = async (params) => (await list(params)).filter((one) => one !== null)
}

/** Loads the class of one exchange by its name in ccxt, spot only, without ccxt's own throttle: the shared request budget replaces it. */
export async function ccxtClient(
  name: string,
  options: {
    readonly baseUrl: string | null
    readonly timeoutMs: number
    readonly now: () => number
    readonly limited?: LimitForms | undefined
  },
): Promise<NotedClient> {
  const { baseUrl, timeoutMs, now, limited } = options
  // The package exports only its entry, which would load all exchanges.
  const file = join(dirname(fileURLToPath(import.meta.resolve('ccxt'))), 'src', `${name}.js`)
  const { default: Exchange } = loaded.parse(await import(pathToFileURL(file).href))
  const client = new Exchange({
    enableRateLimit: false,
    timeout: timeoutMs,
    maxRetriesOnFailure: 0,
    options: {
      defaultType: 'spot',
      fetchTickersFees: false,
      adjustForTimeDifference: false,
    },
    has: { fetchCurrencies: false },
  })
  client.options['fetchMarkets'] = spotOnly(client.options['fetchMarkets'])
  // For some venues ccxt derives the requested span of time from its clock.
  client.milliseconds = now
  if (baseUrl !== null) client.urls.api = redirect(client.urls.api, baseUrl)
  client.readPage = (address) => client.fetch(baseUrl === null ? address : redirectPage(address, baseUrl))

  const calls = new AsyncLocalStorage<AnswerNote>()
  const failed = new WeakMap<object, AnswerNote>()
  const judge = client.handleErrors.bind(client)
  client.handleErrors = (...answer) => {
    const [status, , , , headers, , parsed] = answer
    const note = calls.getStore()
    if (note !== undefined) {
      note.status = status
      note.venueTime = timeIn(TIMES.present, headerTime(headers, 'date'), now())
      note.booksSynthetic = booksSynthetic(headers)
      note.retryAfterMs = limitWait({ status, headers, body: parsed, now: now() }, limited) ?? note.retryAfterMs
    }
    const verdict = judge(...answer)
    if (status < 400 && note !== undefined) note.leftOut += dropBareRows(parsed)
    // ccxt continues with the text of a body that is not JSON; nothing can be read from it.
    if (status < 400 && (parsed === undefined || parsed === null)) throw new SyntaxError('the answer is not JSON')
    return verdict
  }
  const leaveOut = () => {
    const note = calls.getStore()
    if (note !== undefined) note.leftOut += 1
  }
  readOneByOne(client, leaveOut)
  return {
    client,
    noted: (work) => {
      const note = unasked()
      return calls.run(note, async () => {
        try {
          return { value: await work(), note }
        } catch (error) {
          if (typeof error === 'object' && error !== null) failed.set(error, note)
          throw error
        }
      })
    },
    noteOf: (error) => (typeof error === 'object' && error !== null ? failed.get(error) : undefined),
  }
}
