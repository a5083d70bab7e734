import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { common } from '@svc/contracts'
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { countAnswers, type AccessLog, type Answers } from './answers.ts'
import { addHead } from './head.ts'
import { EdgeRefusal, problem, PROBLEM_TYPE } from './problem.ts'

const BODY_LIMIT = 64 * 1024
// The query of a GET may contain calldata of 32,768 characters.
const HEADER_LIMIT = 40 * 1024
/** Time limit of a whole request including its body; checked every few seconds. */
const REQUEST_TIMEOUT_MS = 15_000
const TIMEOUTS_LOOKED_AT_MS = 5_000
const SANE_ID = /^[A-Za-z0-9._-]{1,128}$/
const COMPRESSED = 'The body is compressed. Send it as it is, without Content-Encoding.'
/** Returns true if the body of a request is not compressed. */
const isPlain = ({ headers }: FastifyRequest) => (headers['content-encoding'] ?? 'identity') === 'identity'

/** HTTP server that reads requests and counts answers, without any route. */
export interface Http {
  readonly app: FastifyInstance
  readonly answers: Answers
}

/** Opens the server with limits for every request. */
export function openHttp(trustedProxies: readonly string[], accessLog: AccessLog | undefined): Http {
  const app = fastify({
    logger: false,
    bodyLimit: BODY_LIMIT,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: 60_000,
    keepAliveTimeout: 72_000,
    // Requests on kept-alive connections that arrive while the server closes are answered normally, then their
    // connections end.
    return503OnClosing: false,
    // A kept answer needs no parsed query: `queryOf` parses it for those that do.
    routerOptions: { maxParamLength: 200, querystringParser: (text) => text as unknown as Record<string, unknown> },
    // With the default headers timeout, a minute, Node would use that minute for the whole request.
    http: {
      maxHeaderSize: HEADER_LIMIT,
      headersTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUTS_LOOKED_AT_MS,
      // `headProblem` rejects these with a problem body; Node's answer would be empty and uncounted.
      requireHostHeader: false,
    },
    trustProxy: trustedProxies.length === 0 ? false : [...trustedProxies],
    exposeHeadRoutes: true,
    genReqId: (request) => {
      const given = request.headers['x-request-id']
      return typeof given === 'string' && SANE_ID.test(given) ? given : randomUUID()
    },
    // A path that cannot be decoded does not reach a route.
    frameworkErrors: (_error, request, reply) => {
      const answer = reply as unknown as FastifyReply
      addHead(request as unknown as FastifyRequest, answer)
      answers.unrouted(400, common.invalidRequest.code, request.id)
      void answer.code(400).header('content-type', PROBLEM_TYPE).send(unreadablePath(request.id))
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

  // Ignores expectations other than 100-continue, as HTTP allows; Node's answer would have no problem body.
  app.server.on('checkExpectation', (request, response) => void app.server.emit('request', request, response))

  app.removeAllContentTypeParsers()
  app.addContentTypeParser(/^application\/(json|[\w.-]+\+json)(;|$)/, { parseAs: 'buffer' }, (request, body, done) =>
    isPlain(request) ? done(null, body) : done(new EdgeRefusal(common.unsupportedMediaType, { detail: COMPRESSED })),
  )
  app.addHook('onRequest', (request, reply, done) => {
    const wrong = headProblem(request.raw)
    if (wrong === null) return done()
    // Later requests on such a connection cannot be trusted either.
    void reply.header('connection', 'close')
    done(wrong)
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    addHead(request, reply)
    done(null, payload)
  })
  dropUnusedConnections(app)
  return { app, answers }
}

function unreadablePath(requestId: string): string {
  const detail = 'A part of the path is too long or not percent-encoded UTF-8; shorten it or encode it.'
  const errors = [{ pointer: '/path', code: 'invalid_path', detail }]
  return JSON.stringify(problem({ refusal: common.invalidRequest, instance: '/', requestId, errors }))
}

const ofHost = (code: string, detail: string) =>
  new EdgeRefusal(common.invalidRequest, { errors: [{ pointer: '/header/host', code, detail }] })

/**
 * Returns the reason why the head of a request cannot be trusted, or null. A proxy in front of this server may use
 * another of two `Host` headers, and a request without an HTTP version has no headers.
 */
function headProblem({ httpVersionMajor, httpVersionMinor, rawHeaders }: IncomingMessage): EdgeRefusal | null {
  if (httpVersionMajor !== 1)
    return new EdgeRefusal(common.invalidRequest, {
      detail: 'The request line does not name a supported HTTP version.',
      members: { fix: 'Send HTTP/1.1.' },
    })
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  if (hosts > 1) return ofHost('duplicate_field', 'The request has more than one Host header; send one.')
  if (hosts === 0 && httpVersionMinor > 0) return ofHost('required', 'HTTP/1.1 requires a Host header; send one.')
  return null
}

/**
 * Closes connections that never sent a request, as browsers open in advance, when the server closes. Node would wait
 * until they time out.
 */
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
