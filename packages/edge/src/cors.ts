import type { FastifyInstance } from 'fastify'
import type { Route } from './routes.ts'

const EXPOSED = 'X-Request-Id, RateLimit, RateLimit-Policy, Retry-After, ETag, Idempotent-Replayed'
const ALLOWED_HEADERS = 'Authorization, Content-Type, Idempotency-Key, If-None-Match, X-Request-Id, X-SVC-User-Key'

/** Route under which preflight requests are counted. */
const PREFLIGHT = 'preflight'

/** Cross-origin rule: open GET routes may be read from anywhere, everything else only from the configured origins. */
export function cors(app: FastifyInstance, routes: readonly Route[], webOrigins: readonly string[]): void {
  const open = new Set(
    routes.filter((route) => route.method === 'GET' && route.operation.auth === 'open').map((route) => route.pattern),
  )
  const trusted = new Set(webOrigins)
  app.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers
    if (origin === undefined) return done()
    const pattern = request.routeOptions.url
    if (trusted.has(origin))
      void reply.headers({
        'access-control-allow-origin': origin,
        vary: 'Origin',
        'access-control-expose-headers': EXPOSED,
      })
    else if (request.method !== 'OPTIONS' && pattern !== undefined && open.has(pattern))
      void reply.headers({ 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSED })
    done()
  })
  app.options('/*', (request, reply) => {
    if (request.state !== null) request.state.route = PREFLIGHT
    const { origin } = request.headers
    const asked = request.headers['access-control-request-method']
    if (origin !== undefined && trusted.has(origin)) {
      void reply.headers({
        'access-control-allow-methods': 'GET, POST, PUT, DELETE',
        'access-control-allow-headers': ALLOWED_HEADERS,
        'access-control-max-age': '600',
      })
    } else if (asked === 'GET') {
      void reply.headers({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET',
        'access-control-allow-headers': 'Content-Type, If-None-Match, X-Request-Id',
        'access-control-max-age': '600',
      })
    }
    return reply.code(204).send()
  })
}
