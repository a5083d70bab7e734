import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { SPEED_MAX, type ReplayClock } from './clock.ts'
import { faultsSchema, type FaultBoard } from './faults.ts'
import type { Feed } from './feed.ts'

const clockBody = z.strictObject({
  /** Jump to this instant (milliseconds since the epoch), before the step. */
  at: z.int().min(0).optional(),
  /** Advance by this many milliseconds. */
  advanceMs: z.int().min(0).optional(),
  /** Speed from now on; 0 pauses. */
  speed: z.number().min(0).max(SPEED_MAX).optional(),
})
const eventsQuery = z.object({
  from: z.coerce.number().int().min(0),
  to: z.coerce.number().int().min(0),
  limit: z.coerce.number().int().min(1).max(10_000).default(1_000),
})
const EVENTS_SPAN_MAX = 400 * 86_400_000

interface Controlled {
  readonly feed: Feed
  readonly clock: ReplayClock
  readonly faults: FaultBoard
}

/** Serves the routes that control the server, `/control/…`, which belong to no venue. */
export function controlRoutes({ feed, clock, faults }: Controlled) {
  return async (app: FastifyInstance): Promise<void> => {
    const state = () => ({
      source: 'replay',
      dataset: feed.dataset,
      books: feed.books,
      venues: feed.venues,
      starts_at: feed.startsAt,
      ends_at: feed.endsAt,
      clock: clock.state(),
      faults: Object.fromEntries(feed.venues.map((venue) => [venue, faults.of(venue)])),
    })
    app.get('/state', async () => state())
    app.post('/clock', async (request) => {
      const { at, advanceMs, speed } = clockBody.parse(request.body)
      if (speed !== undefined) clock.setSpeed(speed)
      if (at !== undefined) clock.set(at)
      if (advanceMs !== undefined) clock.advance(advanceMs)
      return clock.state()
    })
    app.put<{ Params: { venue: string } }>('/venues/:venue/faults', async (request) => {
      faults.set(request.params.venue, faultsSchema.parse(request.body))
      return faults.of(request.params.venue)
    })
    app.delete('/faults', async () => {
      faults.clear()
      return state()
    })
    app.get('/tokens', async () => ({ tokens: feed.tokens(clock.now()) }))
    app.get('/events', async (request) => {
      const { from, to, limit } = eventsQuery.parse(request.query)
      if (to - from > EVENTS_SPAN_MAX) throw new RangeError('from and to may be at most 400 days apart')
      return { events: feed.events(from, to, limit) }
    })
    app.setErrorHandler((error, _request, reply) => {
      if (error instanceof z.ZodError) return reply.code(400).send({ error: z.prettifyError(error) })
      if (error instanceof RangeError) return reply.code(400).send({ error: error.message })
      throw error
    })
  }
}
