import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import {
  createMcpHandler,
  type AuthInfo,
  type McpHttpHandler,
  type McpServer,
  type McpServerFactory,
} from '@modelcontextprotocol/server'
import { common } from '@svc/contracts'
import { EdgeRefusal, parseBody, type Admission, type Route, type ServedPlace } from '@svc/edge'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { keptLists } from './kept-lists.ts'
import { serverOf } from './server.ts'
import { resourcesOf } from './resources.ts'
import { isIn, PROFILES, toolsOf, type Profile, type Switched } from './tools.ts'

export interface McpOptions {
  readonly routes: readonly Route[]
  readonly publicUrl: string
  readonly version: string
  /** Origins of browsers that may call, beside that of `publicUrl`. */
  readonly webOrigins: readonly string[]
  /** Returns true if a tool is on now; called for each list and each call. */
  readonly isShown: (one: Switched) => boolean
  /** Profiles with servers of their own, for tests of the protocol. */
  readonly more?: Readonly<Record<string, () => McpServer>>
}

const PATH = '/mcp'
/** Largest message; calldata in arguments is the longest. */
const BODY_MAX = 64 * 1024
/** Most clients of a profile that listen for changes at a time. */
const LISTENERS_MAX = 200
/** Time within which a switch that hides or shows a tool is told. */
const WATCH_MS = 2_000

/** Serves every tool over Streamable HTTP at `/mcp`. Calls count as those of their routes, other messages as documents. */
export function serveMcp(app: FastifyInstance, admission: Admission, options: McpOptions): ServedPlace[] {
  const own = PROFILES.map((profile) => [profile, productServers(app, profile, options)] as const)
  const handlers = new Map(
    [...own, ...Object.entries(options.more ?? {})].map(([profile, servers]) => [
      profile,
      createMcpHandler(servers, { maxSubscriptions: LISTENERS_MAX, maxRequestBodySize: BODY_MAX }),
    ]),
  )
  const isAllowed = callersOf(options)
  const lists = keptLists(shownNow(options))
  const onRequest = async (request: FastifyRequest) => {
    if (request.state !== null) request.state.route = PATH
    isAllowed(request)
    await admission.countDocument(request)
  }
  app.post(PATH, { onRequest, bodyLimit: BODY_MAX }, async (request, reply) => {
    const handler = handlers.get(profileOf(request))
    if (handler === undefined) throw unknownProfile()
    const message = messageOf(request)
    if ('error' in message)
      return reply.code(400).header('content-type', 'application/json').send(JSON.stringify(message))
    const headers = readHeaders(request)
    const asked = { profile: profileOf(request), headers, message: message.parsed }
    const kept = lists.find(asked)
    if (kept !== null) return reply.headers({ 'cache-control': 'no-store', 'content-type': kept.type }).send(kept.body)
    const answer = await handler.fetch(webRequestOf(headers, options), {
      parsedBody: message.parsed,
      authInfo: passing(request),
    })
    return send(reply, answer, (body) => lists.keep(asked, answer.status, answer.headers.get('content-type'), body))
  })
  const watch = setInterval(tellingChanges(handlers, options), WATCH_MS)
  // Streams of listeners have no end of their own.
  app.addHook('preClose', async () => {
    clearInterval(watch)
    await Promise.all([...handlers.values()].map((handler) => handler.close()))
  })
  return [{ path: PATH, methods: ['POST'] }]
}

/** Returns a look at which tools and resources are shown: one sign for each. */
function shownNow({ routes, isShown }: Pick<McpOptions, 'routes' | 'isShown'>): () => string {
  const all: readonly Switched[] = [...toolsOf(routes), ...resourcesOf(routes)]
  return () => all.map((one) => (isShown(one) ? '+' : '-')).join('')
}

/** Returns a look at the tools that are shown, which tells listeners when they changed. */
function tellingChanges(handlers: ReadonlyMap<string, McpHttpHandler>, { routes, isShown }: McpOptions): () => void {
  const shown = shownNow({ routes, isShown })
  let before = shown()
  return () => {
    const now = shown()
    if (now !== before) for (const handler of handlers.values()) handler.notify.toolsChanged()
    before = now
  }
}

/** Returns the maker of servers with the tools of a profile, one for each message. */
function productServers(app: FastifyInstance, profile: Profile, options: McpOptions): McpServerFactory {
  const { routes, version, publicUrl, isShown } = options
  const tools = new Map(
    toolsOf(routes)
      .filter((tool) => isIn(profile, tool))
      .map((tool) => [tool.name, tool]),
  )
  // The smallest profile has no mandates.
  const resources = resourcesOf(routes).filter(({ behindDoor }) => profile !== 'core' || !behindDoor)
  return ({ authInfo }) => {
    const request = authInfo?.extra?.['request'] as FastifyRequest
    return serverOf({ app, request, version, publicUrl, tools, resources, isShown })
  }
}

/** Hands the request to the server of its message. Credentials are checked by the routes that tools call. */
const passing = (request: FastifyRequest): AuthInfo => ({ token: '', clientId: '', scopes: [], extra: { request } })

/** Returns the profile that a request names; `core` without one. */
const profileOf = ({ query }: FastifyRequest) => (query as { profile?: string }).profile ?? 'core'

const unknownProfile = () =>
  new EdgeRefusal(common.invalidRequest, {
    errors: [{ pointer: '/query/profile', code: 'invalid_value', detail: `Send one of ${PROFILES.join(', ')}.` }],
  })

/** Returns the message of a request; the JSON-RPC error for one that cannot be read. */
function messageOf({ body }: FastifyRequest) {
  try {
    return { parsed: parseBody(body instanceof Buffer ? body : Buffer.alloc(0)) }
  } catch (error) {
    if (!(error instanceof EdgeRefusal)) throw error
    const [fault] = error.errors
    const code = fault?.code === 'invalid_json' || fault?.code === 'invalid_utf8' ? -32_700 : -32_600
    const message = `${fault?.detail ?? error.message} Send one JSON-RPC message a request.`
    return { jsonrpc: '2.0', id: null, error: { code, message } }
  }
}

/** Returns the headers of a message that its server reads, sorted. */
const readHeaders = ({ headers }: FastifyRequest): [string, string][] =>
  Object.entries(headers)
    .flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' && /^(accept|content-type|mcp-[a-z-]+)$/.test(name) ? [[name, value]] : [],
    )
    .toSorted(([one], [other]) => (one < other ? -1 : 1))

const webRequestOf = (headers: [string, string][], { publicUrl }: McpOptions): Request =>
  new Request(`${publicUrl}${PATH}`, { method: 'POST', headers })

/** Sends the answer of the handler; `note` sees the body of one that is no stream. */
async function send(reply: FastifyReply, answer: Response, note: (body: string) => void): Promise<FastifyReply> {
  void reply.code(answer.status).header('cache-control', 'no-store')
  const type = answer.headers.get('content-type')
  if (type !== null) void reply.header('content-type', type)
  if (answer.body === null) return reply.send()
  if (type?.startsWith('text/event-stream') === true) return reply.send(Readable.fromWeb(answer.body as ReadableStream))
  const body = await answer.text()
  note(body)
  return reply.send(body)
}

const originOf = (url: string) => new URL(url).origin
const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']

/**
 * Returns a check of Host and Origin, which throws for a page that calls a server of its reader's machine under a name of
 * its own.
 */
function callersOf({ publicUrl, webOrigins }: McpOptions): (request: FastifyRequest) => void {
  const own = new URL(publicUrl)
  const names = LOOPBACK.includes(own.hostname) ? LOOPBACK : [own.hostname]
  const hosts = new Set(names.map((name) => (own.port === '' ? name : `${name}:${own.port}`)))
  const origins = new Set([originOf(publicUrl), ...webOrigins])
  return ({ headers }) => {
    if (headers.host === undefined || !hosts.has(headers.host.toLowerCase()))
      throw new EdgeRefusal(common.originRefused, { detail: `The header Host must be ${own.host}.` })
    if (headers.origin !== undefined && !origins.has(headers.origin))
      throw new EdgeRefusal(common.originRefused, { detail: 'Pages of this origin may not call; see SVC_WEB_ORIGINS.' })
  }
}
