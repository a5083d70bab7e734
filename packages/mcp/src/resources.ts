import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type ReadResourceResult,
  type Server,
} from '@modelcontextprotocol/server'
import type { Route } from '@svc/edge'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ask, type Answer } from './call.ts'
import { quoteOf, type Quote } from './quote.ts'
import type { Switched } from './tools.ts'

/** Address of a resource: this scheme, and the path and query of its route. */
const SCHEME = 'svc:/'
/** Largest file of a resource: base64 makes a third more of it, in one message. */
const FILE_MAX = 8 * 1024 * 1024
const NEVER_KEPT = { ttlMs: 0, cacheScope: 'private' as const }

/** A route that is read as a resource. */
export interface Resource extends Switched {
  readonly quote: Quote
  readonly printed: Readonly<{
    uriTemplate: string
    name: string
    title: string
    description: string
    mimeType: string
  }>
  /** Matches the paths of the route. */
  readonly path: RegExp
}

/** The resources of one request. */
interface Reading {
  readonly app: FastifyInstance
  readonly request: FastifyRequest
  readonly resources: readonly Resource[]
  readonly isShown: (one: Switched) => boolean
}

/** A name in an address: no relative one, and nothing encoded, so that an address leads to its own route alone. */
const SEGMENT = '[\\w-][\\w.~-]*'

/** Returns the resources of all routes that declare one, sorted by address. */
export function resourcesOf(routes: readonly Route[]): Resource[] {
  return routes
    .filter(({ operation, method }) => operation.resource === true && method === 'GET')
    .map((route) => resourceOf(route))
    .toSorted((one, other) => (one.printed.uriTemplate < other.printed.uriTemplate ? -1 : 1))
}

function resourceOf(route: Route): Resource {
  const { operation, path, places } = route
  const query = Object.keys(places).filter((name) => places[name] === 'query')
  const mimeType = operation.file ?? 'application/json'
  return {
    route,
    quote: quoteOf(operation),
    behindDoor: path.startsWith('/hub/'),
    path: new RegExp(`^${path.replaceAll(/\{\w+\}/g, SEGMENT)}$`),
    printed: {
      uriTemplate: `${SCHEME}${path}${query.length === 0 ? '' : `{?${query.join(',')}}`}`,
      name: operation.key,
      title: operation.summary,
      description: `${operation.summary}. The same key, tier and quota as ${operation.http}.`,
      mimeType,
    },
  }
}

/** Lets a server list and read resources, each by its route. */
export function serveResources(server: Server, options: Reading): void {
  const shown = () => options.resources.filter(options.isShown)
  // Which records and reports there are is said by the tools that list them.
  server.setRequestHandler('resources/list', () => ({ resources: [], ...NEVER_KEPT }))
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: shown().map(({ printed }) => printed),
    ...NEVER_KEPT,
  }))
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const [path = '', search] = uri.slice(SCHEME.length).split('?', 2)
    const resource = uri.startsWith(SCHEME) ? shown().find((one) => one.path.test(path)) : undefined
    if (resource === undefined) throw new ResourceNotFoundError(uri.slice(0, 300))
    const answer = await ask(options.app, options.request, {
      method: 'GET',
      url: search === undefined ? path : `${path}?${search}`,
      headers: { accept: resource.printed.mimeType },
    })
    return { ...contentOf(uri, resource, answer), ...NEVER_KEPT }
  })
}

/** Returns what a route answered as the content of a resource. Throws for a refusal, with its problem. */
function contentOf(uri: string, { quote }: Resource, { status, body, type, bytes }: Answer): ReadResourceResult {
  if (status >= 400) {
    const problem = quote(status, body ?? {})
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `${String(problem['code'])}: ${String(problem['detail'])}`,
      {
        uri,
        problem,
      },
    )
  }
  const [mimeType = type] = type.split(';', 1)
  if (body !== null) return { contents: [{ uri, mimeType, text: JSON.stringify(quote(status, body)) }] }
  if (bytes.length > FILE_MAX)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${uri} has ${bytes.length} bytes; read it over HTTP.`)
  return { contents: [{ uri, mimeType, blob: bytes.toString('base64') }] }
}
