import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { metrics, type Span } from '@opentelemetry/api'
import { common } from '@svc/contracts'
import type { Caller, Refusal } from '@svc/contract'
import { callRaw, fileReader, isOutage, rootSpan, traceOf, type Bus, type Log } from '@svc/service'
import {
  fastify,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type HookHandlerDoneFunction,
} from 'fastify'
import { createAdmission, type AdmissionOptions } from './admission.ts'
import { clientKey } from './client-address.ts'
import { cors } from './cors.ts'
import type { Document } from './documents.ts'
import { idempotencyKeyOf, inputOf, lastEventIdOf } from './input.ts'
import { methodsOf } from './methods.ts'
import { fileOf, matches, printFile, printReply, sendProblem } from './print.ts'
import { EdgeRefusal, problem, PROBLEM_TYPE } from './problem.ts'
import type { Route } from './routes.ts'
import { sharedAnswers } from './shared-answers.ts'
import { createStreams } from './stream.ts'

export interface EdgeOptions extends AdmissionOptions {
  readonly routes: readonly Route[]
  readonly documents: readonly Document[]
  readonly bus: Bus
  readonly log: Log
  readonly trustedProxies: readonly string[]
  readonly webOrigins: readonly string[]
  /** Registry of every code, for bodies that come from services. */
  readonly refusals: ReadonlyMap<string, Refusal>
}

const BODY_LIMIT = 64 * 1024
// Calldata of 32,768 characters travels in the query of a GET.
const HEADER_LIMIT = 40 * 1024
/** For a whole request, its body included; looked at every few seconds. */
const REQUEST_TIMEOUT_MS = 15_000
const TIMEOUTS_LOOKED_AT_MS = 5_000
const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'strict-transport-security': 'max-age=31536000',
  'referrer-policy': 'no-referrer',
}
/** Whether a body is what its length and the parser say: not compressed. */
const isPlain = ({ headers }: FastifyRequest) => (headers['content-encoding'] ?? 'identity') === 'identity'
const FILE_HEADERS = ['etag', 'repr-digest', 'content-disposition'] as const
const SANE_ID = /^[A-Za-z0-9._-]{8,128}$/

const requestDuration = metrics.getMeter('edge').createHistogram('hub_http_request_duration_seconds', {
  description: 'Time to answer an HTTP request',
  unit: 's',
  advice: { explicitBucketBoundaries: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] },
})

/** Addresses begin with a slash, so the two kinds cannot meet; the one of callers with a key is ready as it is. */
const shareKeyOf = ({ state, url }: FastifyRequest) => (state?.caller == null ? `open ${url}` : url)

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

/** Builds the public HTTP server from declarations; there is no code for any single route. */
export function buildEdge(options: EdgeOptions): FastifyInstance {
  const { bus, log } = options
  const admission = createAdmission(options)
  const readFile = fileReader(bus)
  const app = fastify({
    logger: false,
    bodyLimit: BODY_LIMIT,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: 60_000,
    keepAliveTimeout: 72_000,
    routerOptions: { maxParamLength: 200 },
    // Were its own limit for headers, a minute, left as it is, Node would take that one for the whole request.
    http: {
      maxHeaderSize: HEADER_LIMIT,
      headersTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUTS_LOOKED_AT_MS,
    },
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
  app.addContentTypeParser(/^application\/(json|[\w.-]+\+json)(;|$)/, { parseAs: 'buffer' }, (request, body, done) =>
    isPlain(request) ? done(null, body) : done(new EdgeRefusal(common.unsupportedMediaType)),
  )

  app.addHook('onRequest', (request, reply, done) => {
    void reply.headers(SECURITY_HEADERS).header('x-request-id', request.id)
    done()
  })
  cors(app, options.routes, options.webOrigins)

  const admit = (route: Route, request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    const enter = (caller: Caller | null) => {
      const attributes = {
        'http.request.method': request.method,
        'http.route': route.path,
        'url.scheme': request.protocol,
      }
      const foreign = request.headers['traceparent'] as string | undefined
      const span = rootSpan(`${route.method} ${route.path}`, attributes, foreign)
      request.state = { caller, span, started: performance.now() }
      done()
    }
    const admitted = admission.admit(route, request, reply)
    if (admitted instanceof Promise) admitted.then(enter, done)
    else enter(admitted)
  }

  const shared = sharedAnswers(() => performance.now())
  const handle = (route: Route, request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply> => {
    const shareKey = route.operation.sharedAnswer === true ? shareKeyOf(request) : null
    // What is kept was answered under the same address before, so its input is known to be good.
    const kept = shareKey === null ? null : shared.kept(shareKey)
    return kept === null
      ? answer(route, request, reply, shareKey)
      : printReply(route, request, reply, kept, options.refusals)
  }

  const answer = async (
    route: Route,
    request: FastifyRequest,
    reply: FastifyReply,
    shareKey: string | null,
  ): Promise<FastifyReply> => {
    const caller = request.state?.caller ?? null
    const { cacheSec = 0 } = route.operation
    const inputJson = JSON.stringify(inputOf(route, request))
    const key = idempotencyKeyOf(route, request, caller, inputJson)
    const ask = () =>
      callRaw(bus, 'gateway', route.operation, inputJson, {
        id: request.id,
        by: Date.now() + (route.operation.timeoutMs ?? 10_000),
        ...(caller === null ? { client: clientKey(request.ip) } : { caller }),
        ...(key === undefined ? {} : { key }),
        ...traceOf(request.state?.span),
      })
    const raw = shareKey === null ? await ask() : await shared.ask(shareKey, cacheSec * 1_000, ask)
    if (raw.head.s < 400 && route.operation.changesCaller === true && caller !== null)
      options.directory.forgetAccount(caller.account_id)
    const file = fileOf(route, raw)
    if (file === null) return printReply(route, request, reply, raw, options.refusals)
    return printFile(route, request, reply, file, readFile)
  }

  const streams = createStreams(bus, options.routes, log)
  const sockets = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  app.addHook('preClose', (done) => {
    streams.close()
    // Node waits for connections on which nothing was ever asked, as browsers open them ahead, until they time out.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
    done()
  })
  const follow = async (route: Route, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const caller = request.state?.caller ?? null
    const input = inputOf(route, request)
    const seen = lastEventIdOf(request)
    if (seen !== undefined) input['since'] = seen
    const ask = (since: unknown) =>
      callRaw(bus, 'gateway', route.operation, JSON.stringify({ ...input, since }), {
        id: request.id,
        by: Date.now() + (route.operation.timeoutMs ?? 10_000),
        ...(caller === null ? {} : { caller }),
      })
    const first = await ask(input['since'])
    if (first.head.s >= 400) return printReply(route, request, reply, first, options.refusals)
    const recheck = () => admission.recheck(route, request)
    streams.open({ route, caller, input, reply, first, ask, recheck })
    return reply
  }

  for (const route of options.routes) {
    app.route({
      method: route.method,
      url: route.pattern,
      onRequest: (request, reply, done) => admit(route, request, reply, done),
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
              'http.response.status_code': reply.statusCode,
              'hub.request_id': request.id,
            })
            .end()
        }
        done()
      },
      handler: (request, reply) => (route.operation.stream === undefined ? handle : follow)(route, request, reply),
      exposeHeadRoute: route.operation.stream === undefined,
    })
  }

  for (const document of options.documents) {
    app.get(
      document.path,
      { onRequest: (request: FastifyRequest, reply: FastifyReply) => admission.countOpen(request, reply) },
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

  const methods = methodsOf(
    options.routes,
    options.documents.map((one) => one.path),
  )
  const notAllowed = (request: FastifyRequest, reply: FastifyReply, allowed: readonly string[]) =>
    sendProblem(request, reply.header('allow', allowed.join(', ')), common.methodNotAllowed)
  for (const { method, pattern } of methods.shadowed)
    app.route({
      method,
      url: pattern,
      exposeHeadRoute: false,
      onRequest: (request, reply) => admission.countOpen(request, reply),
      handler: (request, reply) => notAllowed(request, reply, methods.allowedAt(pattern)),
    })

  app.setNotFoundHandler(
    { preHandler: (request: FastifyRequest, reply: FastifyReply) => admission.countOpen(request, reply) },
    (request, reply) => {
      const allowed = methods.allowedAt(request.url.split('?', 1)[0] ?? '/')
      return allowed.length === 0 ? sendProblem(request, reply, common.notFound) : notAllowed(request, reply, allowed)
    },
  )

  app.setErrorHandler((error: Error & { statusCode?: number; code?: string }, request, reply) => {
    // A file that turns out bad before its first byte has left its headers behind, here and with Node.
    for (const name of FILE_HEADERS) {
      void reply.removeHeader(name)
      reply.raw.removeHeader(name)
    }
    if (error instanceof EdgeRefusal) {
      void reply.headers(error.headers)
      return sendProblem(request, reply, error.refusal, {
        detail: error.message,
        errors: error.errors,
        members: error.members,
      })
    }
    if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return sendProblem(request, reply, common.bodyTooLarge)
    if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return sendProblem(request, reply, common.unsupportedMediaType)
    if (error.statusCode !== undefined && error.statusCode < 500)
      return sendProblem(request, reply, common.invalidRequest)
    if (isOutage(error)) {
      log.warn({ err: error, request_id: request.id, url: request.routeOptions.url }, 'answered 503')
      return sendProblem(request, reply.header('retry-after', '1'), common.temporarilyUnavailable)
    }
    log.error({ err: error, request_id: request.id, url: request.routeOptions.url }, 'answered 500')
    return sendProblem(request, reply, common.internal)
  })
  return app
}
