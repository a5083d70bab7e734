import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Route } from './routes.ts'

const EXPOSED =
  'X-Request-Id, RateLimit, RateLimit-Policy, Retry-After, ETag, Idempotent-Replayed, Deprecation, Sunset, Link, PAYMENT-REQUIRED, PAYMENT-RESPONSE'
const MAX_AGE_SEC = 600
const OPEN = { 'access-control-allow-origin': '*' }
const READABLE = { 'access-control-expose-headers': EXPOSED }
const TRUSTED_PREFLIGHT = {
  'access-control-allow-methods': 'GET, POST, PUT, DELETE',
  'access-control-allow-headers': [
    'Authorization, Content-Type, Idempotency-Key, If-None-Match, X-Request-Id, X-SVC-User-Key',
    // Readers of streams that are no EventSource.
    'Last-Event-ID',
    // Clients of the tools, by the revisions of their protocol.
    'MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id',
    // Clients of x402; the last one is a header of answers, and they send it all the same.
    'PAYMENT-SIGNATURE, Access-Control-Expose-Headers',
  ].join(', '),
  'access-control-max-age': String(MAX_AGE_SEC),
}
const OPEN_PREFLIGHT = {
  'access-control-allow-methods': 'GET',
  'access-control-allow-headers': 'Content-Type, If-None-Match, X-Request-Id',
  'access-control-max-age': String(MAX_AGE_SEC),
}
/** Answers any other OPTIONS request. */
const NO_RIGHTS = { 'access-control-allow-methods': '', 'access-control-allow-headers': '' }

/** Route under which preflight requests are counted. */
const PREFLIGHT = 'preflight'

/** Lets pages of any origin read open GET routes, and pages of the configured origins call every route. */
export function cors(app: FastifyInstance, routes: readonly Route[], webOrigins: readonly string[]): void {
  const open = new Set(
    routes.filter((route) => route.method === 'GET' && route.operation.auth === 'open').map((route) => route.pattern),
  )
  const trusted = new Set(webOrigins)
  const preflight = ({ headers }: FastifyRequest, reply: FastifyReply) => {
    const { origin } = headers
    if (origin !== undefined && trusted.has(origin))
      void reply.headers({ 'access-control-allow-origin': origin, ...READABLE, ...TRUSTED_PREFLIGHT })
    else
      void reply.headers(
        headers['access-control-request-method'] === 'GET' ? { ...OPEN, ...OPEN_PREFLIGHT } : NO_RIGHTS,
      )
    void reply.code(204).header('content-length', '0').send()
  }
  app.addHook('onRequest', (request, reply, done) => {
    if (request.method === 'OPTIONS') {
      if (request.state !== null) request.state.route = PREFLIGHT
      return preflight(request, reply)
    }
    const { origin } = request.headers
    if (origin !== undefined && trusted.has(origin))
      void reply.headers({ 'access-control-allow-origin': origin, ...READABLE })
    else if (origin !== undefined && open.has(request.routeOptions.url ?? ''))
      void reply.headers({ ...OPEN, ...READABLE })
    done()
  })
}
