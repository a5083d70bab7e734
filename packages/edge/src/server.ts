import { createHash, randomUUID } from 'node:crypto'
import { metrics, SpanKind, trace, context as otelContext, type Span } from '@opentelemetry/api'
import { common } from '@svc/contracts'
import type { Caller, Refusal } from '@svc/contract'
import { callRaw, contextOf, fieldErrors, isOutage, refusalBody, traceOf, type Bus, type Log } from '@svc/service'
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { authorize } from './authorize.ts'
import { checkName, checkText, parseBody } from './body.ts'
import { clientKey } from './client-address.ts'
import { cors } from './cors.ts'
import { credentialOf } from './credential.ts'
import type { Directory } from './directory.ts'
import type { Document } from './documents.ts'
import type { Limiter, Policy, Verdict } from './limiter.ts'
import { EdgeRefusal, problem, PROBLEM_TYPE } from './problem.ts'
import type { Route } from './routes.ts'

export interface EdgeOptions {
  readonly routes: readonly Route[]
  readonly documents: readonly Document[]
  readonly bus: Bus
  readonly directory: Directory
  readonly limiter: Limiter
  readonly log: Log
  /** Calls a day, by tier. */
  readonly dailyLimits: readonly [number, number, number]
  /** Calls without a credential, per client address. */
  readonly openLimits: { readonly perMinute: number; readonly perDay: number }
  readonly trustedProxies: readonly string[]
  readonly webOrigins: readonly string[]
  /** Registry of every code, for bodies that come from services. */
  readonly refusals: ReadonlyMap<string, Refusal>
}

const BODY_LIMIT = 64 * 1024
const HEADER_LIMIT = 16 * 1024
const REQUEST_TIMEOUT_MS = 15_000
/** Up to here copying a body costs less than a write of its own. */
const JOINED_BYTES_MAX = 16 * 1024
const JSON_TYPE = 'application/json; charset=utf-8'
const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'strict-transport-security': 'max-age=31536000',
  'referrer-policy': 'no-referrer',
}
const SANE_ID = /^[A-Za-z0-9._-]{8,128}$/
const IDEMPOTENCY_KEY = /^(?:"([\x20\x21\x23-\x5b\x5d-\x7e]{1,255})"|([\x21\x23-\x7e]{1,255}))$/

const requestDuration = metrics.getMeter('edge').createHistogram('hub_http_request_duration_seconds', {
  description: 'Time to answer an HTTP request',
  unit: 's',
  advice: { explicitBucketBoundaries: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] },
})
const limited = metrics
  .getMeter('edge')
  .createCounter('hub_rate_limited_total', { description: 'Requests refused for their allowance' })
const tracer = trace.getTracer('edge')

/** What the steps of one request hand on to each other. */
interface State {
  caller: Caller | null
  span: Span | undefined
  started: number
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until the request is admitted. */
    state: State | null
  }
}

function daily(caller: Caller, limits: EdgeOptions['dailyLimits']): Policy {
  return { name: 'daily', key: String(caller.account_id), limit: limits[caller.tier], windowSec: 86_400, durable: true }
}

function printLimits(reply: FastifyReply, verdict: Verdict): void {
  const { name, limit, windowSec } = verdict.policy
  void reply.header('ratelimit-policy', `"${name}";q=${limit};w=${windowSec}`)
  void reply.header('ratelimit', `"${name}";r=${verdict.remaining};t=${verdict.resetSec}`)
}

/** Builds the public HTTP server from declarations; there is no code for any single route. */
export function buildEdge(options: EdgeOptions): FastifyInstance {
  const { directory, limiter, bus, log } = options
  const app = fastify({
    logger: false,
    bodyLimit: BODY_LIMIT,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: 60_000,
    keepAliveTimeout: 72_000,
    routerOptions: { maxParamLength: 200 },
    http: { maxHeaderSize: HEADER_LIMIT },
    trustProxy: options.trustedProxies.length === 0 ? false : [...options.trustedProxies],
    exposeHeadRoutes: true,
    genReqId: (request) => {
      const given = request.headers['x-request-id']
      return typeof given === 'string' && SANE_ID.test(given) ? given : randomUUID()
    },
    // A path that cannot be decoded never reaches a route.
    frameworkErrors: (_error, request, reply) => {
      const errors = [
        {
          pointer: '/path',
          code: 'invalid_path',
          detail: 'A part of the path is too long or not percent-encoded UTF-8.',
        },
      ]
      const body = problem({ refusal: common.invalidRequest, instance: '/', requestId: request.id, errors })
      const answer = reply as unknown as FastifyReply
      void answer
        .code(400)
        .headers({ ...SECURITY_HEADERS, 'content-type': PROBLEM_TYPE, 'x-request-id': request.id })
        .send(JSON.stringify(body))
    },
    clientErrorHandler: (error, socket) => {
      if (!socket.writable) return
      const refusal = error.code === 'HPE_HEADER_OVERFLOW' ? common.headersTooLarge : common.invalidRequest
      const body = JSON.stringify(problem({ refusal, instance: '/', requestId: randomUUID() }))
      const reason = refusal.status === 431 ? 'Request Header Fields Too Large' : 'Bad Request'
      socket.end(
        `HTTP/1.1 ${refusal.status} ${reason}\r\nContent-Type: application/problem+json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
      )
    },
  })

  // Expectations other than 100-continue are ignored, as HTTP allows; Node's own answer would be no problem body.
  app.server.on('checkExpectation', (request, response) => void app.server.emit('request', request, response))

  app.decorateRequest('state', null)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(/^application\/(json|[\w.-]+\+json)(;|$)/, { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  )

  const send = (
    request: FastifyRequest,
    reply: FastifyReply,
    refusal: Refusal,
    more: { detail?: string; errors?: EdgeRefusal['errors']; members?: EdgeRefusal['members'] } = {},
  ) =>
    reply
      .code(refusal.status)
      .header('content-type', PROBLEM_TYPE)
      .header('cache-control', 'no-store')
      .send(
        JSON.stringify(
          problem({
            refusal,
            detail: more.detail,
            errors: more.errors,
            members: more.members,
            instance: request.url.split('?', 1)[0] ?? '/',
            requestId: request.id,
          }),
        ),
      )

  app.addHook('onRequest', (request, reply, done) => {
    void reply.headers({ ...SECURITY_HEADERS, 'x-request-id': request.id })
    done()
  })
  cors(app, options.routes, options.webOrigins)

  const takeOpen = async (request: FastifyRequest, reply: FastifyReply) => {
    const key = clientKey(request.ip)
    for (const policy of [
      { name: 'open_day', key, limit: options.openLimits.perDay, windowSec: 86_400, durable: false },
      { name: 'open_minute', key, limit: options.openLimits.perMinute, windowSec: 60, durable: false },
    ]) {
      const verdict = await limiter.take(policy)
      printLimits(reply, verdict)
      if (!verdict.allowed) refuseLimit(verdict)
    }
  }
  const refuseLimit = (verdict: Verdict): never => {
    limited.add(1, { policy: verdict.policy.name })
    throw new EdgeRefusal(common.rateLimited, {
      detail: `The allowance of ${verdict.policy.limit} calls in ${verdict.policy.windowSec} seconds is used up.`,
      members: {
        'violated-policies': [verdict.policy.name],
        retry_at: new Date(Date.now() + verdict.resetSec * 1000).toISOString(),
      },
      headers: { 'retry-after': String(verdict.resetSec) },
    })
  }

  /** authenticate → authorize → count, before the body is read. */
  const admit = async (route: Route, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const credential = credentialOf(request.headers)
    const found = credential === null || credential === undefined ? null : directory.resolve(credential)
    const caller = found instanceof Promise ? await found : found
    if (caller === null) {
      await takeOpen(request, reply)
      // A bad credential is an error also where none is needed: its sender believes in something that is not so.
      if (credential !== undefined)
        throw new EdgeRefusal(common.unauthenticated, {
          detail: 'The credential is unknown, expired, revoked or malformed.',
        })
      authorize(route, null)
    } else if (caller.kind === 'service') {
      authorize(route, caller)
    } else {
      authorize(route, caller)
      if (route.operation.limit !== 'none') {
        const taken = limiter.take(daily(caller, options.dailyLimits))
        const verdict = taken instanceof Promise ? await taken : taken
        printLimits(reply, verdict)
        if (!verdict.allowed) refuseLimit(verdict)
      }
    }
    const parent = contextOf(request.headers['traceparent'] as string | undefined)
    const span = tracer.startSpan(
      `${route.method} ${route.path}`,
      { kind: SpanKind.SERVER },
      parent ?? otelContext.active(),
    )
    request.state = { caller, span: span.isRecording() ? span : undefined, started: performance.now() }
  }

  const inputOf = (route: Route, request: FastifyRequest): Record<string, unknown> => {
    const query = request.query as Record<string, unknown>
    for (const name of Object.keys(query)) checkName(name, '/query')
    const input: Record<string, unknown> = {}
    const fromBody = route.method === 'POST' || route.method === 'PUT'
    if (!fromBody || route.operation.placement === 'body-or-query') Object.assign(input, query)
    else if (Object.keys(query).length > 0) {
      throw new EdgeRefusal(common.invalidRequest, {
        errors: Object.keys(query)
          .slice(0, 20)
          .map((name) => ({
            pointer: `/query/${name.slice(0, 100)}`,
            code: 'unknown_field',
            detail: 'This route takes no query members; send them in the body.',
          })),
      })
    }
    for (const [name, value] of Object.entries(input))
      if (typeof value === 'string') checkText(value, `/query/${name.slice(0, 100)}`)
    if (fromBody && request.body instanceof Buffer) Object.assign(input, parseBody(request.body))
    for (const name of route.pathNames) {
      if (Object.hasOwn(input, name))
        throw new EdgeRefusal(common.invalidRequest, {
          errors: [
            {
              pointer: `/${name}`,
              code: 'unknown_field',
              detail: `"${name}" is given in the path; leave it out here.`,
            },
          ],
        })
      const value = (request.params as Record<string, string>)[name] ?? ''
      checkText(value, `/path/${name}`)
      input[name] = value
    }
    const parsed = route.operation.input.safeParse(input)
    if (!parsed.success) {
      const errors = fieldErrors(parsed.error, 'body').map((error) => {
        const first = error.pointer.split('/')[1] ?? ''
        const place = route.places[first] ?? (fromBody ? 'body' : 'query')
        return place === 'body' ? error : { ...error, pointer: `/${place}${error.pointer}` }
      })
      throw new EdgeRefusal(common.invalidRequest, { errors })
    }
    return parsed.data
  }

  const idempotencyKey = (
    route: Route,
    request: FastifyRequest,
    caller: Caller | null,
    inputJson: string,
  ): string | undefined => {
    const given = request.headers['idempotency-key']
    if (given === undefined || route.operation.idempotent !== true) return undefined
    const match = typeof given === 'string' ? IDEMPOTENCY_KEY.exec(given) : null
    const key = match?.[1] ?? match?.[2]
    if (key === undefined)
      throw new EdgeRefusal(common.invalidRequest, {
        errors: [
          {
            pointer: '/header/idempotency-key',
            code: 'invalid_format',
            detail: 'Send 1 to 255 printable ASCII characters, bare or as a quoted string.',
          },
        ],
      })
    // Without an account the key alone could meet a stranger's; bound to the input it cannot.
    return caller === null ? `${createHash('sha256').update(inputJson).digest('hex').slice(0, 32)}:${key}` : key
  }

  const handle = async (route: Route, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { state } = request
    const caller = state?.caller ?? null
    const inputJson = JSON.stringify(inputOf(route, request))
    const key = idempotencyKey(route, request, caller, inputJson)
    const reply_ = await callRaw(bus, 'gateway', route.operation, inputJson, {
      id: request.id,
      by: Date.now() + (route.operation.timeoutMs ?? 10_000),
      ...(caller === null ? {} : { caller }),
      ...(key === undefined ? {} : { key }),
      ...traceOf(state?.span),
    })
    const { head, body } = reply_
    if (head.s >= 400) {
      const refused = refusalBody.parse(JSON.parse(body.toString('utf8')))
      const { code, detail, errors, ...members } = refused
      const known = options.refusals.get(code) ?? common.internal
      if (head.s === 503 || head.retry !== undefined) void reply.header('retry-after', String(head.retry ?? 1))
      return send(
        request,
        reply,
        { ...known, status: head.s },
        { detail, ...(errors === undefined ? {} : { errors }), members },
      )
    }
    if (route.operation.changesCaller === true && caller !== null) directory.forgetAccount(caller.account_id)
    if (head.replayed === true) void reply.header('idempotent-replayed', 'true')
    if (route.operation.cacheSec === undefined) void reply.header('cache-control', 'no-store')
    else {
      const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
      void reply
        .header('etag', etag)
        .header(
          'cache-control',
          `${route.operation.auth === 'open' ? 'public' : 'private'}, max-age=${route.operation.cacheSec}`,
        )
      if (matches(request.headers['if-none-match'], etag)) return reply.code(304).send()
    }
    // Node joins a text with the header into one write; bytes would be a second one.
    const sent = body.length <= JOINED_BYTES_MAX ? body.toString('utf8') : body
    return reply.code(head.s).header('content-type', JSON_TYPE).send(sent)
  }

  for (const route of options.routes) {
    app.route({
      method: route.method,
      url: route.pattern,
      onRequest: (request, reply) => admit(route, request, reply),
      onResponse: (request, reply, done) => {
        const { state } = request
        if (state !== null) {
          requestDuration.record((performance.now() - state.started) / 1000, {
            route: route.path,
            method: route.method,
            status: reply.statusCode,
          })
          state.span
            ?.setAttributes({
              'http.route': route.path,
              'http.response.status_code': reply.statusCode,
              'hub.request_id': request.id,
            })
            .end()
        }
        done()
      },
      handler: (request, reply) => handle(route, request, reply),
    })
  }

  for (const document of options.documents) {
    app.get(
      document.path,
      { onRequest: (request: FastifyRequest, reply: FastifyReply) => takeOpen(request, reply) },
      (request: FastifyRequest, reply: FastifyReply) => {
        void reply.headers({
          etag: document.etag,
          'cache-control': 'public, max-age=300',
          'access-control-allow-origin': '*',
          ...document.headers,
        })
        if (matches(request.headers['if-none-match'], document.etag)) return reply.code(304).send()
        return reply.header('content-type', document.type).send(document.body)
      },
    )
  }

  const methods = new Map<string, string[]>()
  for (const route of options.routes) {
    const shape = route.path.replaceAll(/\{\w+\}/g, '[^/]+')
    methods.set(shape, [...(methods.get(shape) ?? []), route.method, ...(route.method === 'GET' ? ['HEAD'] : [])])
  }
  for (const document of options.documents)
    methods.set(document.path.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+'), ['GET', 'HEAD'])
  const allowed = [...methods].map(([shape, names]) => ({ pattern: new RegExp(`^${shape}$`), names }))

  app.setNotFoundHandler(
    { preHandler: (request: FastifyRequest, reply: FastifyReply) => takeOpen(request, reply) },
    (request, reply) => {
      const path = request.url.split('?', 1)[0] ?? '/'
      const names = allowed.filter(({ pattern }) => pattern.test(path)).flatMap((entry) => entry.names)
      if (names.length === 0) return send(request, reply, common.notFound)
      void reply.header('allow', names.join(', '))
      return send(request, reply, common.methodNotAllowed)
    },
  )

  app.setErrorHandler((error: Error & { statusCode?: number; code?: string }, request, reply) => {
    if (error instanceof EdgeRefusal) {
      void reply.headers(error.headers)
      return send(request, reply, error.refusal, {
        detail: error.message,
        errors: error.errors,
        members: error.members,
      })
    }
    if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return send(request, reply, common.bodyTooLarge)
    if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return send(request, reply, common.unsupportedMediaType)
    if (error.statusCode !== undefined && error.statusCode < 500) return send(request, reply, common.invalidRequest)
    if (isOutage(error)) {
      log.warn({ err: error, request_id: request.id, url: request.routeOptions.url }, 'answered 503')
      return send(request, reply.header('retry-after', '1'), common.temporarilyUnavailable)
    }
    log.error({ err: error, request_id: request.id, url: request.routeOptions.url }, 'answered 500')
    return send(request, reply, common.internal)
  })
  return app
}

function matches(header: string | undefined, etag: string): boolean {
  return (
    header !== undefined &&
    header.split(',').some((one) => one.trim().replace(/^W\//, '') === etag || one.trim() === '*')
  )
}
