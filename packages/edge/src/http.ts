import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { common } from '@svc/contracts'
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { countAnswers, type AccessLog, type Answers } from './answers.ts'
import { EdgeRefusal, problem, PROBLEM_TYPE } from './problem.ts'

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
const SANE_ID = /^[A-Za-z0-9._-]{1,128}$/
/** Whether a body is what its length and the parser say: not compressed. */
const isPlain = ({ headers }: FastifyRequest) => (headers['content-encoding'] ?? 'identity') === 'identity'

/** A server that reads requests and counts answers, without any place. */
export interface Http {
  readonly app: FastifyInstance
  readonly answers: Answers
}

/** Opens the server with the limits of everything that is sent to it. */
export function openHttp(trustedProxies: readonly string[], accessLog: AccessLog | undefined): Http {
  const app = fastify({
    logger: false,
    bodyLimit: BODY_LIMIT,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: 60_000,
    keepAliveTimeout: 72_000,
    // Requests of kept connections that come while the server closes are answered as usual, and their connections end.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 200 },
    // Were its own limit for headers, a minute, left as it is, Node would take that one for the whole request.
    http: {
      maxHeaderSize: HEADER_LIMIT,
      headersTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUTS_LOOKED_AT_MS,
      // `headProblem` refuses these in our own words; Node's answer would be empty and uncounted.
      requireHostHeader: false,
    },
    trustProxy: trustedProxies.length === 0 ? false : [...trustedProxies],
    exposeHeadRoutes: true,
    genReqId: (request) => {
      const given = request.headers['x-request-id']
      return typeof given === 'string' && SANE_ID.test(given) ? given : randomUUID()
    },
    // A path that cannot be decoded never reaches a route.
    frameworkErrors: (_error, request, reply) => {
      const answer = reply as unknown as FastifyReply
      answers.unrouted(400, common.invalidRequest.code, request.id)
      void answer
        .code(400)
        .headers({ ...SECURITY_HEADERS, 'content-type': PROBLEM_TYPE, 'x-request-id': request.id })
        .send(unreadablePath(request.id))
    },
    clientErrorHandler: (error, socket) => {
      if (!socket.writable) return
      const refusal = error.code === 'HPE_HEADER_OVERFLOW' ? common.headersTooLarge : common.invalidRequest
      const requestId = randomUUID()
      answers.unrouted(refusal.status, refusal.code, requestId)
      const body = JSON.stringify(problem({ refusal, instance: '/', requestId }))
      const reason = refusal.status === 431 ? 'Request Header Fields Too Large' : 'Bad Request'
      socket.end(
        `HTTP/1.1 ${refusal.status} ${reason}\r\nContent-Type: application/problem+json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
      )
    },
  })
  const answers = countAnswers(app, accessLog)

  // Expectations other than 100-continue are ignored, as HTTP allows; Node's own answer would be no problem body.
  app.server.on('checkExpectation', (request, response) => void app.server.emit('request', request, response))

  app.removeAllContentTypeParsers()
  app.addContentTypeParser(/^application\/(json|[\w.-]+\+json)(;|$)/, { parseAs: 'buffer' }, (request, body, done) =>
    isPlain(request) ? done(null, body) : done(new EdgeRefusal(common.unsupportedMediaType)),
  )
  app.addHook('onRequest', (request, reply, done) => {
    void reply.headers(SECURITY_HEADERS).header('x-request-id', request.id)
    const wrong = headProblem(request.raw)
    if (wrong === null) return done()
    // What else comes over a connection that began like this is not to be trusted either.
    void reply.header('connection', 'close')
    done(wrong)
  })
  dropUnusedConnections(app)
  return { app, answers }
}

function unreadablePath(requestId: string): string {
  const detail = 'A part of the path is too long or not percent-encoded UTF-8.'
  const errors = [{ pointer: '/path', code: 'invalid_path', detail }]
  return JSON.stringify(problem({ refusal: common.invalidRequest, instance: '/', requestId, errors }))
}

const ofHost = (code: string, detail: string) =>
  new EdgeRefusal(common.invalidRequest, { errors: [{ pointer: '/header/host', code, detail }] })

/**
 * Why the head of a request cannot be trusted; null when it can. A proxy before us may read another of two `Host`
 * headers than we do, and a request without a version has no headers at all.
 */
function headProblem({ httpVersionMajor, httpVersionMinor, rawHeaders }: IncomingMessage): EdgeRefusal | null {
  if (httpVersionMajor !== 1)
    return new EdgeRefusal(common.invalidRequest, {
      detail: 'The request line names no version of HTTP that is served here; send HTTP/1.1.',
    })
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  if (hosts > 1) return ofHost('duplicate_field', 'The Host header is given more than once; send it once.')
  if (hosts === 0 && httpVersionMinor > 0) return ofHost('required', 'HTTP/1.1 needs a Host header; send one.')
  return null
}

/** Node waits for connections on which nothing was ever asked, as browsers open them ahead, until they time out. */
function dropUnusedConnections(app: FastifyInstance): void {
  const sockets = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  app.addHook('preClose', (done) => {
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
    done()
  })
}
