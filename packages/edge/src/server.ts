import { common } from '@svc/contracts'
import { isOutage, type Log } from '@svc/service'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { codingOf, prefers } from './accept.ts'
import { createAdmission, type Admission } from './admission.ts'
import { cors } from './cors.ts'
import type { Document } from './documents.ts'
import type { EdgeOptions, ServedPlace } from './edge-options.ts'
import { noteForwarding } from './forwarding.ts'
import { openHttp } from './http.ts'
import { methodsOf } from './methods.ts'
import { sendPagesHome } from './page-host.ts'
import { isKnown, sendProblem } from './print.ts'
import { EdgeRefusal } from './problem.ts'
import { templateOf } from './routes.ts'
import { serveRoutes } from './serve-routes.ts'

const FILE_HEADERS = ['etag', 'repr-digest', 'content-disposition'] as const

/** Builds the public HTTP server from declarations, without code for single routes. */
export function buildEdge(options: EdgeOptions): FastifyInstance {
  const http = openHttp(options.trustedProxies, options.accessLog)
  noteForwarding(http.app, options.log)
  const admission = createAdmission(options)
  cors(http.app, options.routes, options.webOrigins)
  sendPagesHome(http.app, options.routes, options.webOrigin)
  serveRoutes(http, admission, options)
  serveDocuments(http.app, admission, options)
  refuseOtherPlaces(http.app, admission, options, options.serveMore?.(http.app, admission) ?? [])
  printFailures(http.app, options.log)
  return http.app
}

/** Returns a hook that counts a request without a caller against its client address. */
const counting = (admission: Admission, place: string) => async (request: FastifyRequest) => {
  if (request.state !== null) request.state.route = place
  await admission.countOpen(request)
}

/** Serves the documents that are printed at the start; reading them does not count against the allowance of the API. */
function serveDocuments(app: FastifyInstance, admission: Admission, options: EdgeOptions): void {
  const onRequest = (path: string) => async (request: FastifyRequest) => {
    if (request.state !== null) request.state.route = path
    await admission.countDocument(request)
  }
  for (const document of options.documents)
    app.get(document.path, { onRequest: onRequest(document.path) }, (request, reply) =>
      sendDocument(document, request, reply),
    )
  for (const [from, to] of options.redirects ?? [])
    app.get(from, { onRequest: onRequest(from) }, (_request, reply) => reply.redirect(to, 308))
}

function sendDocument(printed: Document, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const document = printed.now?.() ?? printed
  const { coded, type, headers, status = 200 } = document
  const coding = coded === null ? null : codingOf(request.headers['accept-encoding'])
  const { body, etag } = coded === null || coding === null ? document : coded[coding]
  void reply.headers({
    etag,
    'cache-control': 'public, max-age=300',
    'access-control-allow-origin': '*',
    ...(coded === null ? {} : { vary: 'accept-encoding' }),
    ...headers,
  })
  if (status === 200 && isKnown(request, etag)) return reply.code(304).send()
  if (coding !== null) void reply.header('content-encoding', coding)
  return reply.code(status).header('content-type', type).send(body)
}

/** Answers 404: a page for people who read pages there, else problem details. */
function refuseUnknown(request: FastifyRequest, reply: FastifyReply, { missingPage }: EdgeOptions): FastifyReply {
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const isPage = missingPage !== undefined && request.url.startsWith(missingPage.under)
  if (!isPage || !isRead || !prefers(request.headers.accept, 'text/html'))
    return sendProblem(request, reply, common.notFound)
  const { type, headers, body } = missingPage.page
  return reply
    .code(404)
    .headers({ ...headers, 'cache-control': 'no-store' })
    .header('content-type', type)
    .send(body)
}

/** Answers 404 for paths without a route, and 405 for methods that a path does not support. */
function refuseOtherPlaces(
  app: FastifyInstance,
  admission: Admission,
  options: EdgeOptions,
  more: readonly ServedPlace[],
): void {
  const methods = methodsOf(
    options.routes,
    [...options.documents.map((one) => one.path), ...(options.redirects?.keys() ?? [])],
    more,
  )
  const notAllowed = (request: FastifyRequest, reply: FastifyReply, allowed: readonly string[]) =>
    sendProblem(request, reply.header('allow', allowed.join(', ')), common.methodNotAllowed)
  for (const { method, pattern } of methods.shadowed)
    app.route({
      method,
      url: pattern,
      exposeHeadRoute: false,
      onRequest: counting(admission, templateOf(pattern)),
      handler: (request, reply) => notAllowed(request, reply, methods.allowedAt(pattern)?.methods ?? []),
    })
  app.setNotFoundHandler(
    {
      preHandler: async (request: FastifyRequest) => {
        await admission.countOpen(request)
      },
    },
    (request, reply) => {
      const place = methods.allowedAt(request.url.split('?', 1)[0] ?? '/')
      if (place === null) return refuseUnknown(request, reply, options)
      if (request.state !== null) request.state.route = place.route
      return notAllowed(request, reply, place.methods)
    },
  )
}

/** Says what is wrong with the type of a body, and what to send. */
function mediaTypeDetail(type: string | undefined): string {
  if (type === undefined) return 'The body has no Content-Type. Send Content-Type: application/json.'
  return type.startsWith('application/x-www-form-urlencoded')
    ? 'The Content-Type says that the body is a form, as curl does by itself. Send Content-Type: application/json.'
    : 'The Content-Type is not JSON. Send Content-Type: application/json.'
}

/** Converts every error that ends a request at the edge into its answer. This is the only place that does so. */
function printFailures(app: FastifyInstance, log: Log): void {
  app.setErrorHandler((error: Error & { statusCode?: number; code?: string }, request, reply) => {
    // A file that fails before its first byte has left its headers in Fastify and in Node.
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
    if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
      return sendProblem(request, reply, common.unsupportedMediaType, {
        detail: mediaTypeDetail(request.headers['content-type']),
      })
    if (error.statusCode !== undefined && error.statusCode < 500)
      return sendProblem(request, reply, common.invalidRequest, {
        members: { fix: 'Send one body, with a Content-Length that matches it.' },
      })
    if (isOutage(error)) {
      log.warn({ err: error, request_id: request.id, url: request.routeOptions.url }, 'answered 503')
      return sendProblem(request, reply.header('retry-after', '1'), common.temporarilyUnavailable)
    }
    log.error({ err: error, request_id: request.id, url: request.routeOptions.url }, 'answered 500')
    return sendProblem(request, reply, common.internal)
  })
}
