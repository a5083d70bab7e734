import { metrics, type Span } from '@opentelemetry/api'
import type { Caller } from '@svc/contract'
import { rootSpan } from '@svc/service'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** One answer as the access log tells it: no address, no query, no secret. */
export interface AccessLine {
  readonly method: string
  /** Template of the route, such as `/reports/{report_id}`; a word of this module where there was no route. */
  readonly route: string
  readonly status: number
  /** Code of the refusal or failure; null for a good answer. */
  readonly code: string | null
  readonly duration_ms: number
  readonly request_id: string
  /** `open` brought no credential, `unverified` one that was not (yet) known to be good. */
  readonly caller: Caller['kind'] | 'open' | 'unverified'
  /** Length of the body. */
  readonly bytes: number
}

/** Receives every answer; must return at once. */
export type AccessLog = (line: AccessLine) => void

/** What the steps of one request hand on to each other. */
export interface State {
  readonly started: number
  readonly span: Span | undefined
  route: string
  /** Null until the credential is known to be good, and for open calls. */
  caller: Caller | null
  code: string | null
  counted: boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null only for a path that no router could read. */
    state: State | null
  }
}

/** Route of a request that no place has. */
const UNMATCHED = 'unmatched'
/** Route of what could not be read as a request. */
export const UNREADABLE = 'unreadable'
/** Status of an answer that nobody waited for. */
const CLIENT_CLOSED = 499
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])

/** Counts and logs each answer of an edge once, whatever produced it. */
export interface Answers {
  /** For answers that pass by the router: those to what is no request. */
  unrouted(status: number, code: string, requestId: string): void
  /** For an answer that has begun and has no foreseeable end, such as a stream. */
  began(request: FastifyRequest, reply: FastifyReply): void
}

/** Starts the clock and the span of every request of `app`, before anything else looks at it. */
export function countAnswers(app: FastifyInstance, accessLog: AccessLog | undefined): Answers {
  const duration = metrics.getMeter('edge').createHistogram('hub_http_request_duration_seconds', {
    description: 'Time from the head of an HTTP request to the end of its answer',
    unit: 's',
    advice: { explicitBucketBoundaries: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] },
  })

  const count = (request: FastifyRequest, reply: FastifyReply, aborted: boolean) => {
    const { state } = request
    if (state === null || state.counted) return
    state.counted = true
    const seconds = (performance.now() - state.started) / 1000
    const { route, span } = state
    const method = METHODS.has(request.method) ? request.method : 'OTHER'
    const status = aborted && !reply.raw.headersSent ? CLIENT_CLOSED : reply.statusCode
    duration.record(seconds, { route, method, status })
    span
      ?.updateName(`${method} ${route}`)
      .setAttributes({ 'http.route': route, 'http.response.status_code': status, 'hub.request_id': request.id })
      .end()
    accessLog?.({
      method,
      route,
      status,
      code: aborted ? 'aborted' : state.code,
      duration_ms: Math.round(seconds * 1e6) / 1000,
      request_id: request.id,
      caller: state.caller?.kind ?? (bringsCredential(request) ? 'unverified' : 'open'),
      bytes: method === 'HEAD' ? 0 : Number(reply.getHeader('content-length') ?? 0),
    })
  }

  app.decorateRequest('state', null)
  app.addHook('onRequest', (request, reply, done) => {
    request.state = {
      started: performance.now(),
      span: rootSpan(request.method, attributesOf(request), request.headers['traceparent'] as string | undefined),
      route: UNMATCHED,
      caller: null,
      code: null,
      counted: false,
    }
    // Comes once for each answer, also for one whose client went away; a hook on the answer's end alone does not.
    reply.raw.on('close', () => count(request, reply, !reply.raw.writableFinished))
    done()
  })

  return {
    began: (request, reply) => count(request, reply, false),
    unrouted: (status, code, request_id) => {
      // When such a request began is not known.
      duration.record(0, { route: UNREADABLE, method: 'OTHER', status })
      accessLog?.({
        method: 'OTHER',
        route: UNREADABLE,
        status,
        code,
        duration_ms: 0,
        request_id,
        caller: 'open',
        bytes: 0,
      })
    },
  }
}

const bringsCredential = ({ headers }: FastifyRequest): boolean =>
  headers['x-svc-user-key'] !== undefined || headers.authorization !== undefined

const attributesOf = ({ method, protocol }: FastifyRequest) => ({
  'http.request.method': method,
  'url.scheme': protocol,
})
