import type { FastifyInstance } from 'fastify'
import type { Route } from './routes.ts'

/** Returns whether an address is a page, or belongs to the pages. */
export const isPage = (url: string) => /^\/ui(?:[/?]|$)/.test(url)

/**
 * Sends readers of a page under another host, such as `localhost` for `127.0.0.1`, to the host of the web origin: wallets
 * warn when a sign-in message names another host than the page, and a session by cookie belongs to one.
 */
export function sendPagesHome(app: FastifyInstance, routes: readonly Route[], webOrigin: string): void {
  const home = new URL(webOrigin).host
  const api = new Set(routes.map(({ pattern }) => pattern))
  app.addHook('onRequest', (request, reply, done) => {
    const { method, url } = request
    const isRead = method === 'GET' || method === 'HEAD'
    // The host and the options are computed for each request that asks for them: only pages need them.
    if (!isPage(url) || !isRead) return done()
    if (request.host.toLowerCase() === home || api.has(request.routeOptions.url ?? '')) return done()
    void reply.header('cache-control', 'no-store').redirect(new URL(url, webOrigin).href, 307)
  })
}
