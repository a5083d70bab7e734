import { counterOf, type Log } from '@svc/service'
import type { FastifyInstance } from 'fastify'
import { LRUCache } from 'lru-cache'

const PEERS_MAX = 1_000
/** Time between two log lines about one peer. */
const SAY_AGAIN_MS = 3_600_000

const count = counterOf(
  'hub_edge_untrusted_forwarding_total',
  'Requests with X-Forwarded-For from a peer that SVC_TRUSTED_PROXIES does not name: its clients count as one address',
  [{}],
)

/**
 * Counts requests that a peer says to forward for somebody else without being trusted with it, and logs the peer once an hour. The
 * address of the peer is taken for that of the client, as it has to be: anybody can write the header.
 */
export function noteForwarding(app: FastifyInstance, log: Log): void {
  const said = new LRUCache<string, true>({ max: PEERS_MAX, ttl: SAY_AGAIN_MS })
  app.addHook('onRequest', (request, _reply, done) => {
    const peer = request.socket.remoteAddress
    if (request.headers['x-forwarded-for'] !== undefined && peer !== undefined && request.ip === peer) {
      count()
      if (!said.has(peer)) {
        said.set(peer, true)
        log.warn(
          { peer },
          'a peer that SVC_TRUSTED_PROXIES does not name forwards requests: its clients share one allowance',
        )
      }
    }
    done()
  })
}
