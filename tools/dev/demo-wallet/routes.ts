import { queryOf, type buildEdge } from '@svc/edge'
import { parseCall, passageOf } from './rpc-gate.ts'
import type { DemoAgent } from './agent-work.ts'

type Server = ReturnType<typeof buildEdge>
/** Adds routes to the public server of the gateway. */
export type Extend = (app: Server) => void

/** What of a request decides who asks. */
interface Asked {
  readonly host: string
  readonly method: string
  readonly headers: { readonly origin?: string | undefined }
}

const NODE_MS = 15_000
/** Calls to the node at the same time. */
const CALLS_MAX = 32
const PUBLIC_ID = /^mdt_[0-9a-f]{32}$/

/** What the routes of the dev command need. */
export interface DemoRoutes {
  /** Origin of the pages; no other page may ask these wallets. */
  readonly webOrigin: string
  readonly chainUrl: string
  readonly wallets: readonly string[]
  readonly agent: DemoAgent
  /** The recorded day that the first page can play; null without recordings. */
  readonly story: () => Promise<object | null>
}

/**
 * Returns routes of the dev command: the wallets of the local chain (`POST /dev/rpc`), the demo agent
 * (`POST` and `GET /dev/agent/work`) and a recorded day (`GET /dev/story.json`). They answer the pages of this machine alone. The page asks the person before each
 * signature; the keys are in the local node.
 */
export const demoRoutes =
  ({ webOrigin, chainUrl, wallets, agent, story }: DemoRoutes): Extend =>
  (app) => {
    const { host: ownHost } = new URL(webOrigin)
    let running = 0
    // A page of another site, or another name that leads to this machine, gets the answer of an unknown place.
    const isOurs = ({ host, headers, method }: Asked) =>
      host === ownHost && (headers.origin === webOrigin || (method === 'GET' && headers.origin === undefined))

    app.post('/dev/rpc', async (request, reply) => {
      if (!isOurs(request)) return reply.callNotFound()
      const call = request.body instanceof Buffer ? parseCall(request.body.toString('utf8')) : null
      const failed = (code: number, message: string) =>
        reply.send({ jsonrpc: '2.0', id: call?.id ?? null, error: { code, message } })
      if (call === null) return failed(-32_600, 'Send one JSON-RPC 2.0 call.')
      const passage = passageOf(call, wallets)
      if (passage.kind === 'refuse') return failed(passage.code, passage.message)
      if (passage.kind === 'answer') return { jsonrpc: '2.0', id: call.id, result: passage.result }
      if (running >= CALLS_MAX) return failed(-32_002, 'Too many calls at once: try again.')
      running += 1
      try {
        const { id } = call
        const { method, params } = passage
        return await askNode(chainUrl, { jsonrpc: '2.0', id, method, params })
      } catch {
        return failed(4900, 'The local chain does not answer.')
      } finally {
        running -= 1
      }
    })
    app.post('/dev/agent/work', async (request, reply) => {
      const publicId = isOurs(request) ? publicIdIn(request.body) : null
      if (publicId === null) return reply.callNotFound()
      return reply.code(202).send(agent.work(publicId))
    })
    app.get('/dev/agent/work', async (request, reply) => {
      const asked = queryOf(request)['public_id']
      if (!isOurs(request) || typeof asked !== 'string') return reply.callNotFound()
      return reply.header('cache-control', 'no-store').send(agent.read(asked))
    })
    app.get('/dev/story.json', async (request, reply) => {
      const told = isOurs(request) ? await story() : null
      return told === null ? reply.callNotFound() : reply.header('cache-control', 'no-store').send(told)
    })
  }

function publicIdIn(body: unknown): string | null {
  try {
    const asked: unknown = body instanceof Buffer ? JSON.parse(body.toString('utf8')) : null
    const id = typeof asked === 'object' && asked !== null ? Reflect.get(asked, 'public_id') : null
    return typeof id === 'string' && PUBLIC_ID.test(id) ? id : null
  } catch {
    return null
  }
}

async function askNode(url: string, call: object): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(call),
    signal: AbortSignal.timeout(NODE_MS),
  })
  return response.json()
}
