import type { Span } from '@opentelemetry/api'
import type { Caller } from '@svc/contract'
import { counterOf, durationsOf, eachOf, rootSpan } from '@svc/service'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Verdict } from './limiter.ts'

/** Access log entry of one answer; contains no address, query or secret. */
export interface AccessLine {
  readonly method: string
  /** Template of the route, such as `/reports/{report_id}`; `unmatched` or `unreadable` without a route. */
  readonly route: string
  readonly status: number
  /** Code of the refusal or failure; null for a success. */
  readonly code: string | null
  readonly duration_ms: number
  readonly request_id: string
  /** `open`: without a credential; `unverified`: with a credential that was invalid or not yet verified. */
  readonly caller: Caller['kind'] | 'open' | 'unverified'
  /** Length of the body. */
  readonly bytes: number
}

/** Called with every answer; must return at once. */
export type AccessLog = (line: AccessLine) => void

/** State that the steps of a request share. */
export interface State {
  readonly started: number
  readonly span: Span | undefined
  route: string
  /** Null for open calls, and until the credential is verified. */
  caller: Caller | null
  code: string | null
  /** Allowance that counted the request; null until one did. */
  verdict: Verdict | null
  /** Length of a body that is written past Fastify; null for others. */
  bytes: number | null
  counted: boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null only for a path that the router could not decode. */
    state: State | null
  }
}

/** Route in logs and metrics of a request that no route matches. */
const UNMATCHED = 'unmatched'
/** Route in logs and metrics of an unreadable request. */
export const UNREADABLE = 'unreadable'
/** Status in logs and metrics if the client went away before the answer. */
const CLIENT_CLOSED = 499
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])

const recordAnswer = durationsOf(
  'hub_http_request_duration_seconds',
  'Time from the head of an HTTP request to the end of its answer',
  ['route', 'method', 'status'],
)

const countError = counterOf(
  'hub_http_errors_total',
  'Answers with a status of 500 or above, by their code; aborted: the connection ended before',
  eachOf('code', ['internal', 'temporarily_unavailable']),
)

/** Counts and logs each answer of an edge once, whatever produced it. */
export interface Answers {
  /** Counts an answer that bypassed the router, to an unreadable request. */
  unrouted(status: number, code: string, requestId: string): void
  /** Counts an answer that has begun and has no foreseeable end, such as a stream. */
  began(request: FastifyRequest, reply: FastifyReply): void
}

/**
 * Starts the clock and the span of every request of `app`, before any other hook. Returns the counters for answers
 * without such a hook.
 */
export function countAnswers(app: FastifyInstance, accessLog: AccessLog | undefined): Answers {
  const count = (request: FastifyRequest, reply: FastifyReply, aborted: boolean) => {
    const { state } = request
    if (state === null || state.counted) return
    state.counted = true
    const seconds = (performance.now() - state.started) / 1000
    const { route, span } = state
    const method = METHODS.has(request.method) ? request.method : 'OTHER'
    const status = aborted && !reply.raw.headersSent ? CLIENT_CLOSED : reply.statusCode
    recordAnswer(seconds, route, method, status)
    if (status >= 500) countError({ code: aborted ? 'aborted' : (state.code ?? 'none') })
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
      bytes: method === 'HEAD' ? 0 : (state.bytes ?? Number(reply.getHeader('content-length') ?? 0)),
    })
  }

  app.decorateRequest('state', null)
  app.addHook('onRequest', (request, reply, done) => {
    request.state = {
      started: performance.now(),
      span: rootSpan(request.method, () => attributesOf(request), request.headers['traceparent'] as string | undefined),
      route: UNMATCHED,
      caller: null,
      code: null,
      verdict: null,
      bytes: null,
      counted: false,
    }
    // Emitted once for each answer, even if its client went away; the hook on the end of an answer is not.
    reply.raw.on('close', () => count(request, reply, !reply.raw.writableFinished))
    done()
  })

  return {
    began: (request, reply) => count(request, reply, false),
    unrouted: (status, code, request_id) => {
      // The start of such a request is unknown.
      recordAnswer(0, UNREADABLE, 'OTHER', status)
      if (status >= 500) countError({ code })
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
