import type { ExchangeCalendar } from './calendar.ts'
import { addDays, yearOf } from './dates.ts'
import { exchanges, type Mic } from './exchanges.ts'
import { underlyingOf } from './markets.ts'
import { tradingYear, type Trading, type TradingYear } from './trading-days.ts'
import { instantOf, localDateOf } from './zoned.ts'

/**
 * `open`: trading goes on, of a day with regular hours; `early_close`: trading goes on and ends before the regular hour;
 * `holiday`: closed on a day that is no weekend; `closed`: any other time without trading, such as a night or a lunch
 * break; `projected`: no source states the hours of this day, and the rules say whether it is `isOpen`.
 */
export type SessionState = 'open' | 'closed' | 'holiday' | 'early_close' | 'projected'

/** What an exchange does at one time. */
export interface MarketSession {
  readonly exchange: Mic
  readonly title: string
  readonly timeZone: string
  readonly state: SessionState
  /** Whether trading goes on, whatever the state; what the order gate asks. */
  readonly isOpen: boolean
  /** Bounds of the trading that goes on; null while none does. */
  readonly opensAt: Date | null
  readonly closesAt: Date | null
  /** When trading begins the next time after `at`. */
  readonly nextOpensAt: Date
  /** Name of the holiday of the local day, or null. */
  readonly holiday: string | null
}

/** A time during which nothing changes: from `from` up to, not including, `to`. */
export interface Stretch {
  readonly state: SessionState
  readonly isOpen: boolean
  readonly from: Date
  readonly to: Date
}

/** Returns what an exchange does at a time. Pure; throws a RangeError for a year outside 1990 to 2099. */
export function sessionOf(exchange: Mic, at: Date): MarketSession {
  const calendar = exchanges[exchange]
  const { trading, next, date, holiday } = momentOf(exchange, at.getTime())
  return {
    exchange,
    title: calendar.title,
    timeZone: calendar.timeZone,
    state: stateOf(calendar, trading, date, holiday),
    isOpen: trading !== null,
    opensAt: trading === null ? null : new Date(trading.opensMs),
    closesAt: trading === null ? null : new Date(trading.closesMs),
    nextOpensAt: new Date(next.opensMs),
    holiday,
  }
}

/** Returns the session of the exchange that a market follows, by coin or market id; null means that it is always open. */
export function sessionOfMarket(coinOrMarketId: string, at: Date): MarketSession | null {
  const underlying = underlyingOf(coinOrMarketId)
  return underlying === null ? null : sessionOf(underlying.exchange, at)
}

/** Returns the stretch of unchanged state that contains a time. Stretches follow each other without gap or overlap. */
export function stretchAt(exchange: Mic, at: Date): Stretch {
  const calendar: ExchangeCalendar = exchanges[exchange]
  const { trading, next, previous, date, holiday } = momentOf(exchange, at.getTime())
  const state = stateOf(calendar, trading, date, holiday)
  if (trading !== null) {
    return { state, isOpen: true, from: new Date(trading.opensMs), to: new Date(trading.closesMs) }
  }
  const from = Math.max(previous.closesMs, instantOf(date, 0, calendar.timeZone))
  const to = Math.min(next.opensMs, instantOf(addDays(date, 1), 0, calendar.timeZone))
  return { state, isOpen: false, from: new Date(from), to: new Date(to) }
}

interface Moment {
  /** The trading that goes on. */
  readonly trading: Trading | null
  readonly previous: Trading
  readonly next: Trading
  /** The day that decides: of the trading that goes on, else the local one. */
  readonly date: string
  readonly holiday: string | null
}

function momentOf(exchange: Mic, ms: number): Moment {
  const local = localDateOf(ms, exchanges[exchange].timeZone)
  const year = yearOf(local)
  const around = [year - 1, year, year + 1].map((one) => yearOfExchange(exchange, one))
  const all = around.flatMap(({ trading }) => trading)
  const after = all.findIndex(({ opensMs }) => opensMs > ms)
  const last = all[after - 1]
  const next = all[after]
  if (last === undefined || next === undefined) throw new RangeError(`no trading of ${exchange} around ${local}`)
  const trading = ms < last.closesMs ? last : null
  const date = trading?.date ?? local
  const holiday = around.map(({ holidays }) => holidays.get(date)).find((name) => name !== undefined) ?? null
  return { trading, previous: last, next, date, holiday }
}

function stateOf(
  { published, unsourced }: ExchangeCalendar,
  trading: Trading | null,
  date: string,
  holiday: string | null,
): SessionState {
  if (date < published.from || date > published.until || unsourced.includes(date)) return 'projected'
  if (trading !== null) return trading.early ? 'early_close' : 'open'
  return holiday === null ? 'closed' : 'holiday'
}

const YEARS = { first: 1990, last: 2099 }
const KEPT_YEARS_MAX = 64
const kept = new Map<string, TradingYear>()

/** Years are worked out once; the oldest leaves when there are too many. */
function yearOfExchange(exchange: Mic, year: number): TradingYear {
  if (year < YEARS.first || year > YEARS.last) throw new RangeError(`no calendar of ${exchange} for ${year}`)
  const key = `${exchange} ${year}`
  const known = kept.get(key)
  if (known !== undefined) return known
  const made = tradingYear(exchanges[exchange], year)
  const oldest = kept.keys().next().value
  if (kept.size >= KEPT_YEARS_MAX && oldest !== undefined) kept.delete(oldest)
  kept.set(key, made)
  return made
}
