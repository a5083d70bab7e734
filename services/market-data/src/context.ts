import type { marketData } from '@svc/contracts/market-data'
import type { Pool } from '@svc/postgres'
import { redisTls, type Answers, type Clock, type Kit, type Local, type Log } from '@svc/service'
import { Redis } from 'ioredis'
import { boardReader, type BoardReader } from './board/board-reader.ts'
import { capturing, type Capturing } from './captures/capturing.ts'
import { crisisWatch, type CrisisWatch } from './crisis/crisis-watch.ts'
import { marketState, type MarketState } from './markets/market-state.ts'
import type { BucketReading } from './research/rules/bucket-volume.ts'
import { scanning, type Scanning } from './targets/scanning.ts'
import { openVenues, type OpenVenue } from './venues/open-venues.ts'
import { venueErrors, type VenueErrors } from './venues/venue-errors.ts'

/** Everything the functions of market-data may touch. */
export interface Context {
  readonly pool: Pool
  readonly clock: Clock
  readonly log: Log
  /** The exchanges that are read, by id. */
  readonly venues: ReadonlyMap<string, OpenVenue>
  /** Those of them that this process reads now; others read the rest (docs/adr/0034). */
  readonly led: Map<string, OpenVenue>
  /** The watch of each exchange that this process reads now. */
  readonly answers: Map<string, Answers>
  readonly watch: Kit['watch']
  /** The regulated exchanges of which only the market lists are read, by id. */
  readonly breadth: ReadonlyMap<string, OpenVenue>
  /** When a list of theirs is asked for next, milliseconds, by id. */
  readonly breadthNext: Map<string, number>
  /** Whether the exchanges of the board are the real ones. */
  readonly source: 'live' | 'replay' | 'mixed'
  readonly market: MarketState
  readonly errors: VenueErrors
  readonly board: BoardReader
  readonly scanning: Scanning
  readonly crisis: CrisisWatch
  readonly capturing: Capturing
  /** Volumes read for the bucket that is stored next. */
  bucketReading: BucketReading | null
  /** Until when hours are not asked for again, milliseconds, by instance. */
  readonly hoursFailed: Map<number, number>
  /** When this process started, by its clock, milliseconds. */
  readonly startedAt: number
  close(): Promise<void>
}

/** What a reaction may use inside its transaction. */
export type LocalContext = Local<Context, 'clock'> & {
  readonly venues: ReadonlyMap<string, Pick<OpenVenue, 'scanCapacity'>>
}

/** Builds the context of a starting service. */
export function createContext(kit: Kit<typeof marketData>): Context {
  const redis = new Redis(kit.settings.redisUrl, {
    ...redisTls(kit.settings.redisUrl, kit.authority),
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    commandTimeout: 1_000,
    retryStrategy: (attempt) => Math.min(attempt * 50, 1_000),
  })
  redis.on('error', () => {})
  kit.watch({ dependency: 'redis', look: () => redis.ping() })
  const answers: Context['answers'] = new Map()
  const errors = venueErrors()
  const onLeftOut = (exchange: string, rows: number) => errors.add(exchange, 'bad_row', rows)
  const venues = openVenues(kit, redis, 'venues', {
    onAnswer: (exchange) => answers.get(exchange)?.note(),
    onLeftOut,
  })
  const sources = new Set([...venues.values()].map(({ adapter }) => adapter.source))
  return {
    pool: kit.pool,
    clock: kit.clock,
    log: kit.log,
    venues,
    led: new Map(venues),
    answers,
    watch: kit.watch,
    breadth: openVenues(kit, redis, 'breadthVenues', { onLeftOut }),
    breadthNext: new Map(),
    source: sources.size > 1 ? 'mixed' : ([...sources][0] ?? 'live'),
    market: marketState(() => kit.clock.now().getTime()),
    errors,
    board: boardReader(kit.pool, kit.clock),
    scanning: scanning(),
    crisis: crisisWatch(),
    capturing: capturing(),
    bucketReading: null,
    hoursFailed: new Map(),
    startedAt: kit.clock.now().getTime(),
    close: async () => redis.disconnect(),
  }
}
