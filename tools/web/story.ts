import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { MarketObservation } from '@svc/market-data/crisis/rules/crisis-market'
import { stepMarket } from '@svc/market-data/crisis/rules/crisis-market'
import type { CrisisState } from '@svc/market-data/crisis/rules/crisis'
import { openFeed, type Feed, type Market } from '@svc/replay-exchange'
import { createSyntheticFeed, usualVenues } from '@svc/replay-exchange/synthetic'

const root = dirname(dirname(import.meta.dirname))
const FILE = join(root, 'packages/web/src/stories/crash.json')

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const UNIT = 1_000_000
/** The world of the story: what the tests of the replay exchange know too. */
const WORLD = { seed: 1, tokens: 60 }
const VENUE = 'binance'
const MADE_UP = `The seeded synthetic world of the replay exchange (seed ${WORLD.seed}, ${WORLD.tokens} tokens). Nothing here happened.`
/** A day that happened: the minute of the first alert, and the pair. */
const RECORDED = { at: Date.UTC(2022, 10, 9, 2, 32), symbol: 'FTT/USDT' }
const SEARCHED_FROM = Date.UTC(2026, 0, 1)
const SEARCHED_DAYS = 90
/** The crash rule needs two hours of prices before it judges. */
const WARM_UP_MINUTES = 150
const SHOWN_BEFORE = 45
const SHOWN_MINUTES = 150

/** A mandate of 500, four fifths of it in the token when the story begins; the rest stays in the vault. */
const PAID_IN = 500 * UNIT
const IN_TOKEN = 400 * UNIT
const LIMITS = { budget: PAID_IN, per_tx: 60 * UNIT, per_day: 150 * UNIT, ask_above: 40 * UNIT, stop_line: 440 * UNIT }

/** An alert of the rule `crash` as the service would have sent it. */
interface Alert {
  readonly minute: number
  readonly severity: number
  readonly return_60m_bps: number | null
  readonly market_return_60m_bps: number | null
}

/** A day in a market, recorded or made up: minute by minute, with what the product's own rules said. Amounts are base units. */
export interface Story {
  readonly source: string
  readonly venue: string
  readonly symbol: string
  readonly starts_at: string
  readonly pairs: number
  readonly paid_in: number
  readonly limits: typeof LIMITS
  /** Worth of the mandate at each minute; null where the market had no trade yet. */
  readonly worths: readonly number[]
  readonly alerts: readonly Alert[]
}

const bps = (value: unknown): number | null => (typeof value === 'number' ? Math.round(value * 10_000) : null)

/** Lets the crash rule judge every pair of a venue from some hours before a moment. */
function judged(feed: Feed, markets: readonly Market[], from: number, minutes: number) {
  const states = new Map<string, CrisisState>()
  const opened: { key: string; atMs: number; severity: number; inputs: Readonly<Record<string, unknown>> }[] = []
  for (let minute = 0; minute < minutes; minute += 1) {
    const atMs = from + minute * MINUTE_MS
    const seen = markets.map((market): MarketObservation => {
      const candle = feed.candle(market, atMs / MINUTE_MS)
      return {
        id: String(market.key),
        group: `${VENUE} ${market.quote}`,
        atMs,
        priceUsd: candle?.close ?? null,
        candlePrices: null,
        trades: candle?.trades ?? null,
        book: null,
        halted: null,
        peggedToUsd: false,
        referencePriceUsd: null,
        flags: null,
      }
    })
    for (const step of stepMarket(states, seen)) {
      states.set(step.id, step.state)
      for (const { rule, severity, inputs } of step.opened)
        if (rule === 'crash') opened.push({ key: step.id, atMs, severity, inputs })
    }
  }
  return opened
}

/** Returns the story of the first crash whose worth falls through the stop line after an alert. */
export function tellCrash(): Story {
  const feed = createSyntheticFeed({ ...WORLD, venues: usualVenues })
  const events = feed.events(SEARCHED_FROM, SEARCHED_FROM + SEARCHED_DAYS * DAY_MS, 10_000)
  for (const { at, symbol, venue, kind } of events) {
    if (kind !== 'crash' || venue !== VENUE || !symbol.endsWith('/USDT')) continue
    const story = storyOf(feed, Math.floor(at / MINUTE_MS) * MINUTE_MS, symbol, MADE_UP)
    if (story !== null) return story
  }
  throw new Error('no crash of the synthetic world falls through the stop line: choose another seed')
}

function storyOf(feed: Feed, at: number, symbol: string, source: string): Story | null {
  const markets = feed.listings(VENUE, at).flatMap(({ market, status }) => (status === 'trading' ? [market] : []))
  const inUsdt = markets.filter(({ quote }) => quote === 'USDT')
  const fallen = inUsdt.find(({ base, quote }) => `${base}/${quote}` === symbol)
  if (fallen === undefined) return null
  const begin = at - SHOWN_BEFORE * MINUTE_MS
  const priceAt = (minute: number) => feed.candle(fallen, begin / MINUTE_MS + minute)?.close ?? null
  const first = priceAt(0)
  if (first === null) return null
  const worths: number[] = []
  for (let minute = 0; minute < SHOWN_MINUTES; minute += 1) {
    const price = priceAt(minute)
    worths.push(
      price === null ? (worths.at(-1) ?? PAID_IN) : PAID_IN - IN_TOKEN + Math.floor((IN_TOKEN * price) / first),
    )
  }
  const alerts = judged(feed, inUsdt, begin - WARM_UP_MINUTES * MINUTE_MS, WARM_UP_MINUTES + SHOWN_MINUTES)
    .filter(({ key, atMs }) => key === String(fallen.key) && atMs >= begin)
    .map(({ atMs, severity, inputs }) => ({
      minute: (atMs - begin) / MINUTE_MS,
      severity,
      return_60m_bps: bps(inputs['return_60m']),
      market_return_60m_bps: bps(inputs['market_return_60m']),
    }))
  const stopAt = worths.findIndex((worth) => worth <= LIMITS.stop_line)
  const alertAt = alerts[0]?.minute
  if (alertAt === undefined || stopAt < alertAt) return null
  return {
    source,
    venue: VENUE,
    symbol,
    starts_at: new Date(begin).toISOString(),
    pairs: inUsdt.length,
    paid_in: PAID_IN,
    limits: LIMITS,
    worths,
    alerts,
  }
}

/** Returns the story of a recorded day; null if the recordings tell it otherwise. Throws if they are missing. */
export async function tellRecorded(replayDir: string): Promise<Story | null> {
  const feed = await openFeed({ dataset: 'ftx-usdt', replayDir, venues: [VENUE] })
  return storyOf(
    feed,
    RECORDED.at,
    RECORDED.symbol,
    `Minutes of ${VENUE}, recorded on ${new Date(RECORDED.at).toISOString().slice(0, 10)}.`,
  )
}

if (import.meta.main) {
  const story = tellCrash()
  await writeFile(FILE, `${JSON.stringify(story)}\n`)
  console.log(`${story.symbol}: alert at minute ${story.alerts[0]?.minute}, ${story.worths.length} minutes`)
}
