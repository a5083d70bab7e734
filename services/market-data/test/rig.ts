import { loadSettings, type Caller, type Environment } from '@svc/contract'
import { contracts } from '@svc/contracts/all'
import { marketData } from '@svc/contracts/market-data'
import { openPool } from '@svc/postgres'
import { startReplayExchange, type FeedEvent, type ReplayExchange, type ReplayOptions } from '@svc/replay-exchange'
import { clientOf, openLog, pacedClock, unwatched, type Clock, type RunningService } from '@svc/service'
import { eventually, testStack, type TestStack } from '@svc/testing'
import { createContext, type Context } from '../src/context.ts'
import { jobs } from '../src/jobs.ts'
import { start } from '../src/main.ts'

export const MINUTE = 60_000

/** An account of the given tier, as the gateway names it. */
export const account = (tier: 0 | 1 | 2 = 0): Caller => ({
  account_id: 7,
  kind: 'agent',
  wallet: null,
  roles: [],
  scopes: ['read', 'write'],
  tier,
  key_id: null,
  session_id: null,
})

export interface Rig {
  readonly stack: TestStack
  readonly exchange: ReplayExchange
  /** The simulated clock, which the service's functions go by. */
  readonly clock: Clock
  /** What the jobs are run with; nothing runs by itself. */
  readonly context: Context
  /** Another process's worth of the same. */
  newContext(more?: Environment): Promise<Context>
  /** market-data as the gateway asks it; the service itself reads no venue. */
  readonly client: ReturnType<typeof gatewayClient>
  run(job: keyof typeof jobs, context?: Context): Promise<number>
  /** Moves the clock on minute by minute, with the jobs of each minute. */
  minutes(count: number): Promise<void>
  /** Resolves when the service answers with the newest board. */
  newestBoard(): Promise<void>
  stop(): Promise<void>
}

/** The synthetic market is a function of time: from one start every run sees the same gaps, halts and crashes. */
const START = Date.UTC(2026, 10, 20, 12)

const gatewayClient = (bus: Parameters<typeof clientOf>[0]) => clientOf(bus, 'gateway', marketData)

/** market-data's functions over real Postgres, NATS and Redis, against a replay exchange that stands still by itself. */
export async function startRig(
  options: ReplayOptions = {},
  venues = ['binance', 'gate', 'kucoin', 'upbit'],
  named = false,
): Promise<Rig> {
  const stack = await testStack(contracts, ['market-data'])
  const begin = options.dataset === undefined ? { startAt: START } : {}
  const exchange = await startReplayExchange({ tokens: 40, speed: 0, limits: false, venues, ...begin, ...options })
  const clock: Clock = pacedClock(exchange.clock.now, () => exchange.clock.state().speed)
  const log = openLog('market-data', process.env['DEBUG_LOG'] ?? 'silent')
  const environment = (more: Environment = {}) =>
    stack.environmentOf('market-data', {
      MARKET_VENUES: venues.join(','),
      MARKET_LOCAL_BUDGET_FACTOR: '1000',
      MARKET_OUTGOING_ADDRESS: 'rig',
      ...Object.fromEntries(
        venues.map((venue) => [`MARKET_VENUE_BASE_URL_${venue.toUpperCase()}`, exchange.venueUrl(venue)]),
      ),
      ...more,
    })
  // A service that reads no venue answers from what the jobs store; named ones exist but cannot be reached.
  const unreachable = Object.fromEntries(
    venues.map((venue) => [`MARKET_VENUE_BASE_URL_${venue.toUpperCase()}`, 'http://127.0.0.1:9']),
  )
  const service: RunningService = await start(
    stack.environmentOf('market-data', named ? { MARKET_VENUES: venues.join(','), ...unreachable } : {}),
    { clock, log },
  )
  const bus = await stack.nats.connect('gateway')
  const pool = await openPool(stack.databaseOf('market-data').url)
  const contexts: Context[] = []
  const newContext = async (more?: Environment) => {
    const settings = loadSettings(marketData.settings, environment(more))
    const context = createContext({ settings, pool, clock, log, bus, authority: null, watch: () => unwatched })
    contexts.push(context)
    for (const { budget } of context.venues.values()) await eventually(() => budget.closedForMs().then(() => true))
    return context
  }
  const context = await newContext()
  const run: Rig['run'] = async (job, of = context) => {
    const made = jobs[job]
    if (made === undefined) throw new Error(`no job ${job}`)
    return (await made(of)(AbortSignal.timeout(600_000))).done
  }
  const client = gatewayClient(bus)
  return {
    stack,
    exchange,
    clock,
    context,
    newContext,
    client,
    run,
    minutes: async (count) => {
      for (let minute = 0; minute < count; minute += 1) {
        exchange.clock.advance(MINUTE)
        await run('listMarkets')
        await run('rotateBooks')
        await run('observeMarkets')
        await run('computeBoard')
      }
    },
    newestBoard: async () => {
      const newest = await context.board.fresh()
      await eventually(async () => (await client.readBoard({ limit: 1 })).snapshot === (newest?.id ?? null))
    },
    stop: async () => {
      await Promise.all(contexts.map((one) => one.close()))
      await bus.close()
      await service.stop()
      await pool.end()
      await exchange.stop()
      await stack.stop()
    },
  }
}

/** Returns the next crash of a pair that binance quotes in USDT, within 60 days of the rig's synthetic market. */
export function crashOf(rig: Rig): FeedEvent {
  const from = rig.exchange.clock.now()
  const found = rig.exchange.feed
    .events(from, from + 60 * 86_400_000, 100_000)
    .find((event) => event.kind === 'crash' && event.venue === 'binance' && event.symbol.endsWith('/USDT'))
  if (found === undefined) throw new Error('the seed has no crash')
  return found
}
