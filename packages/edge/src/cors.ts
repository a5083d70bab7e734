import fastifyCors, { type FastifyCorsOptions } from '@fastify/cors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Route } from './routes.ts'

const EXPOSED =
  'X-Request-Id, RateLimit, RateLimit-Policy, Retry-After, ETag, Idempotent-Replayed, Deprecation, Sunset, Link'
const MAX_AGE_SEC = 600
const TRUSTED = {
  exposedHeaders: EXPOSED,
  methods: 'GET, POST, PUT, DELETE',
  allowedHeaders: 'Authorization, Content-Type, Idempotency-Key, If-None-Match, X-Request-Id, X-SVC-User-Key',
  maxAge: MAX_AGE_SEC,
  strictPreflight: false,
}
const OPEN_READ = { origin: '*', exposedHeaders: EXPOSED, preflight: false }
const OPEN_PREFLIGHT = {
  origin: '*',
  methods: 'GET',
  allowedHeaders: 'Content-Type, If-None-Match, X-Request-Id',
  maxAge: MAX_AGE_SEC,
  strictPreflight: false,
}

/** Answers any other OPTIONS request without content. */
const NO_RIGHTS = { origin: [], methods: '', allowedHeaders: '', strictPreflight: false }

/** Route under which preflight requests are counted. */
const PREFLIGHT = 'preflight'

/** Lets pages of any origin read open GET routes, and pages of the configured origins call every route. */
export function cors(app: FastifyInstance, routes: readonly Route[], webOrigins: readonly string[]): void {
  const open = new Set(
    routes.filter((route) => route.method === 'GET' && route.operation.auth === 'open').map((route) => route.pattern),
  )
  const trusted = new Set(webOrigins)
  const ruleOf = ({ method, headers, routeOptions }: FastifyRequest): FastifyCorsOptions => {
    const { origin } = headers
    if (origin !== undefined && trusted.has(origin)) return { ...TRUSTED, origin }
    if (method === 'OPTIONS') return headers['access-control-request-method'] === 'GET' ? OPEN_PREFLIGHT : NO_RIGHTS
    return origin !== undefined && open.has(routeOptions.url ?? '') ? OPEN_READ : { origin: false }
  }
  void app.register(fastifyCors, {
    delegator: (request, done) => {
      if (request.method === 'OPTIONS' && request.state !== null) request.state.route = PREFLIGHT
      done(null, ruleOf(request))
    },
  })
}
