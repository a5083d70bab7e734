import Fastify from 'fastify'
import { createClock, type ReplayClock } from './clock.ts'
import { controlRoutes } from './control.ts'
import { openFeed, type Dataset } from './datasets.ts'
import { createFaults, type FaultBoard } from './faults.ts'
import type { Feed } from './feed.ts'
import { venueServer } from './venue-server.ts'
import { regulatedIds, regulatedLists } from './venues/regulated.ts'
import { wires } from './venues/wires.ts'

export interface ReplayOptions {
  /** Default `synthetic`. The others need `replayDir`. */
  readonly dataset?: Dataset
  /** Folder of the recordings. */
  readonly replayDir?: string | null
  /** File of the data set `packed`, in the folder of recordings. */
  readonly recording?: string
  /** Venues to serve; default: all that the data set has. Throws on one it does not have. */
  readonly venues?: readonly string[]
  /** Seed of the synthetic universe; default 1. */
  readonly seed?: number
  /** Tokens of the synthetic universe, 30 to 5,000; default 300 (about 1,000 pairs at five venues). */
  readonly tokens?: number
  /** Whether something goes on in the synthetic universe at any time, for people who look at it; default false. */
  readonly lively?: boolean
  /** Loopback port; 0, the default, takes a free one. */
  readonly port?: number
  /** Simulated seconds in a real one; 0 stands still until the clock is advanced. Default 1. */
  readonly speed?: number
  /** Real time in milliseconds; default: the clock of this machine. */
  readonly real?: () => number
  /** Where simulated time begins, in milliseconds; default: the begin of the recording, or now. */
  readonly startAt?: number
  /** Whether the venues' request limits are enforced; default true. */
  readonly limits?: boolean
}

export interface ReplayExchange {
  /** Address without a trailing slash, always on loopback. */
  readonly url: string
  /** Origin to put in place of a venue's own, path kept: `MARKET_VENUE_BASE_URL_<ID>`. */
  readonly venueUrl: (venue: string) => string
  /** Regulated venues whose market lists are served, by id. */
  readonly regulated: readonly string[]
  readonly feed: Feed
  readonly clock: ReplayClock
  readonly faults: FaultBoard
  readonly stop: () => Promise<void>
}

/** Starts the replay exchange on loopback. Throws with a sentence for the operator when an option cannot be met. */
export async function startReplayExchange(options: ReplayOptions = {}): Promise<ReplayExchange> {
  const feed = await openFeed(options)
  const clock = createClock({
    startAt: options.startAt ?? feed.startsAt ?? Date.now(),
    speed: options.speed ?? 1,
    endsAt: feed.endsAt,
    ...(options.real === undefined ? {} : { real: options.real }),
  })
  const faults = createFaults(feed.venues)
  const app = Fastify({ forceCloseConnections: true, routerOptions: { maxParamLength: 200 } })
  for (const venue of feed.venues) {
    const wire = wires.find(({ id }) => id === venue)
    if (!wire) throw new RangeError(`no wire for the venue ${venue}`)
    await app.register(venueServer({ wire, venue, feed, clock, faults, limits: options.limits ?? true }), {
      prefix: `/${venue}`,
    })
  }
  // Recordings have no such lists, and invented ones would mix with real assets.
  const regulated = feed.dataset === 'synthetic' ? regulatedIds : []
  if (regulated.length > 0) await app.register(regulatedLists(feed, clock))
  await app.register(controlRoutes({ feed, clock, faults }), { prefix: '/control' })
  const url = await app.listen({ host: '127.0.0.1', port: options.port ?? 0 })
  return { url, venueUrl: (venue) => `${url}/${venue}`, regulated, feed, clock, faults, stop: () => app.close() }
}
