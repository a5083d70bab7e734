import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ReplayClock } from './clock.ts'
import type { FaultBoard, Faults } from './faults.ts'
import type { Feed } from './feed.ts'
import { withOddRows, withOddTimes } from './odd-answers.ts'
import { createLimiter } from './rate-limit.ts'
import { createView } from './view.ts'
import { WireError, type Query, type VenueWire } from './wire.ts'

interface VenueOptions {
  readonly wire: VenueWire
  /** First segment of the path; also the feed's name of the venue. */
  readonly venue: string
  readonly feed: Feed
  readonly clock: ReplayClock
  readonly faults: FaultBoard
  /** Whether the venue's request limit is enforced. */
  readonly limits: boolean
}

/** Registers one venue below its path: its routes, its request limit with headers, and its faults. */
export function venueServer({ wire, venue, feed, clock, faults, limits }: VenueOptions) {
  return async (app: FastifyInstance): Promise<void> => {
    const view = createView({ venue, feed, clock, faults, wireSymbol: wire.wireSymbol })
    const take = createLimiter(limits ? wire.limit : { ...wire.limit, budget: Number.MAX_SAFE_INTEGER }, clock)
    let requests = 0
    const hit = new WeakMap<FastifyRequest, Faults>()

    app.addHook('onRequest', async (request, reply) => {
      const active = faultsFor(faults.of(venue), request, ++requests)
      hit.set(request, active)
      reply.header('x-replay-books', feed.books)
      // The answer has the venue's clock, which is the simulated one.
      reply.header('date', new Date(view.now()).toUTCString())
      if (active.slowMs !== undefined) await wait(active.slowMs)
      if (active.disconnect === true) {
        request.raw.socket.destroy()
        return reply.hijack()
      }
      if (active.status !== undefined) return unavailable(wire, reply, active.status)
      const { weight = wire.limit.defaultWeight } = request.routeOptions.config
      const verdict = take(typeof weight === 'number' ? weight : weight(request.query as Query))
      reply.headers(wire.limitHeaders(verdict.state, view.now()))
      const refusal = active.limited ?? (verdict.allowed ? null : verdict)
      if (refusal === null) return undefined
      const { status, retryAfterSeconds } = refusal
      const form = active.limited?.form ?? 'seconds'
      if (form === 'body') return reply.send(wire.limited(status))
      const until = new Date(view.now() + retryAfterSeconds * 1_000).toUTCString()
      return reply
        .code(status)
        .header('retry-after', form === 'date' ? until : String(retryAfterSeconds))
        .send(wire.limited(status))
    })
    app.addHook('preSerialization', async (request, _reply, payload) => {
      const { missingFields, oddRows, oddTimes } = hit.get(request) ?? {}
      const whole = missingFields === undefined ? payload : without(payload, new Set(missingFields))
      const timed = oddTimes === undefined ? whole : withOddTimes(whole, oddTimes, view.now())
      return oddRows === undefined ? timed : withOddRows(timed, oddRows)
    })
    app.addHook('onSend', async (request, reply, payload) => {
      if (hit.get(request)?.truncated !== true || typeof payload !== 'string') return payload
      const cut = payload.slice(0, Math.max(1, Math.floor(payload.length / 2)))
      reply.header('content-length', Buffer.byteLength(cut))
      return cut
    })
    app.setErrorHandler((error, _request, reply) => {
      if (error instanceof WireError) return reply.code(error.status).send(error.body)
      throw error
    })
    wire.routes(app, view)
  }
}

function faultsFor(faults: Faults, request: FastifyRequest, count: number): Faults {
  const { every = 1, path } = faults
  return count % every === 0 && (path === undefined || request.url.includes(path)) ? faults : {}
}

function unavailable(wire: VenueWire, reply: FastifyReply, status: number): FastifyReply {
  const body = wire.unavailable(status)
  if (body !== null) return reply.code(status).send(body)
  const page = `<html><head><title>${status}</title></head><body><center><h1>${status}</h1></center></body></html>`
  return reply.code(status).type('text/html').send(page)
}

function without(value: unknown, names: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((one) => without(one, names))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) => (names.has(name) ? [] : [[name, without(one, names)]])),
  )
}
