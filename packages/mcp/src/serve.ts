import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import {
  createMcpHandler,
  type AuthInfo,
  type McpHttpHandler,
  type McpServer,
  type McpServerFactory,
} from '@modelcontextprotocol/server'
import type { Refusal } from '@svc/contract'
import { common } from '@svc/contracts'
import { EdgeRefusal, queryOf, sendParts, type Admission, type Route, type ServedPlace } from '@svc/edge'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { countedBy } from './call.ts'
import { keptLists, type Asked } from './kept-lists.ts'
import { plainCalls } from './plain-calls.ts'
import { bytesOf, messageOf, printedHeaders, readHeaders } from './message.ts'
import { fixText, namesOf } from './refusals.ts'
import type { FixOf } from './result.ts'
import { serverOf } from './server.ts'
import { resourcesOf } from './resources.ts'
import { isIn, PROFILES, switchesOfTool, toolsOf, type Profile, type Switched } from './tools.ts'

export interface McpOptions {
  readonly routes: readonly Route[]
  /** Every refusal that a route may answer with, by its code. */
  readonly refusals: ReadonlyMap<string, Refusal>
  readonly publicUrl: string
  readonly version: string
  /** Origins of browsers that may call, beside that of `publicUrl`. */
  readonly webOrigins: readonly string[]
  /** Returns true if the switches of a tool show it now; called for each list and each call. */
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

/** Messages that may reach a route, which counts them. */
const CALLS = /^(tools\/call|resources\/read|tasks\/)/

/**
 * Serves every tool over Streamable HTTP at `/mcp`. A message that reaches a route counts as a call of it, any other as the
 * read of a document.
 */
export function serveMcp(app: FastifyInstance, admission: Admission, options: McpOptions): ServedPlace[] {
  const fixOf = fixesOf(options)
  const served = new Map([
    ...PROFILES.map((profile) => [profile, ofProduct(app, profile, options, fixOf)] as const),
    ...Object.entries(options.more ?? {}).map(
      ([profile, servers]) => [profile, { handler: handlerOf(servers), plain: null }] as const,
    ),
  ])
  const handlers = [...served.values()].map(({ handler }) => handler)
  const isAllowed = callersOf(options)
  const lists = keptLists(shownNow(options))
  const onRequest = (request: FastifyRequest, _reply: FastifyReply, done: () => void) => {
    if (request.state !== null) request.state.route = PATH
    isAllowed(request)
    done()
  }
  const answerMessage = async (request: FastifyRequest, reply: FastifyReply, asked: Asked, by: Served) => {
    const message = messageOf(asked.bytes)
    const calls = 'parsed' in message && CALLS.test(String(message.parsed['method']))
    if (!calls) await admission.countDocument(request)
    if ('error' in message)
      return reply.code(400).header('content-type', 'application/json').send(JSON.stringify(message))
    const { parsed } = message
    const plain = calls ? (by.plain?.find(asked, parsed) ?? null) : null
    if (plain !== null) {
      const text = await plain(app, request)
      return sendText(reply.headers(countedBy(request) ?? {}), text)
    }
    const kept = lists.find(asked, parsed)
    if (kept !== null) return sendParts(request, reply, kept)
    const answer = await by.handler.fetch(webRequestOf(request, options), {
      parsedBody: parsed,
      authInfo: passing(request),
    })
    const counted = countedBy(request)
    if (counted !== null) void reply.headers(counted)
    else if (calls) await admission.countDocument(request)
    const type = answer.headers.get('content-type')
    return send(reply, answer, (body) => {
      const { status } = answer
      if (calls) by.plain?.learn(asked, parsed, { status, type, body })
      else lists.keep(asked, parsed, { status, type, body })
    })
  }
  app.post(PATH, { onRequest, bodyLimit: BODY_MAX }, (request, reply) => {
    const profile = profileOf(request)
    const by = served.get(profile)
    if (by === undefined) throw unknownProfile()
    const asked = { profile, headers: printedHeaders(request), bytes: bytesOf(request) }
    const known = request.headers['mcp-method'] === 'tools/call' ? null : lists.again(asked)
    if (known === null) return answerMessage(request, reply, asked, by)
    const sendKnown = () => void sendParts(request, reply, known)
    const counted = admission.countDocument(request)
    // A promise would cost a turn of the queue.
    return counted instanceof Promise ? counted.then(sendKnown) : sendKnown()
  })
  const watch = setInterval(tellingChanges(handlers, options), WATCH_MS)
  // Streams of listeners have no end of their own.
  app.addHook('preClose', async () => {
    clearInterval(watch)
    await Promise.all(handlers.map((handler) => handler.close()))
  })
  return [{ path: PATH, methods: ['POST'] }]
}

/** Returns how each refusal is fixed, in words that name tools. */
function fixesOf({ routes, refusals }: McpOptions): FixOf {
  const names = namesOf(routes)
  const fixes = new Map([...refusals].map(([code, refusal]) => [code, fixText(refusal, names)]))
  return (code) => fixes.get(code) ?? null
}

/** Returns a look at which tools and resources are shown: a sign for each set of switches. */
function shownNow({ routes, isShown }: Pick<McpOptions, 'routes' | 'isShown'>): () => string {
  const all: readonly Switched[] = [...toolsOf(routes), ...resourcesOf(routes)]
  const sets = Map.groupBy(all, (one) => [one.behindDoor, ...switchesOfTool(one).map(({ env }) => env)].join(' '))
  const ofSets = [...sets.values()].flatMap(([one]) => one ?? [])
  // Looked at for each kept list: a loop costs a tenth of the same by an array.
  return () => {
    let signs = ''
    for (const one of ofSets) signs += isShown(one) ? '+' : '-'
    return signs
  }
}

/** Returns a look at the tools that are shown, which tells listeners when they changed. */
function tellingChanges(handlers: readonly McpHttpHandler[], { routes, isShown }: McpOptions): () => void {
  const shown = shownNow({ routes, isShown })
  let before = shown()
  return () => {
    const now = shown()
    if (now !== before) for (const handler of handlers) handler.notify.toolsChanged()
    before = now
  }
}

/** What answers the messages of a profile. */
interface Served {
  readonly handler: McpHttpHandler
  /** Null for a profile without tools of ours. */
  readonly plain: ReturnType<typeof plainCalls> | null
}

const handlerOf = (servers: McpServerFactory): McpHttpHandler =>
  createMcpHandler(servers, { maxSubscriptions: LISTENERS_MAX, maxRequestBodySize: BODY_MAX })

/** Returns what serves the tools of a profile: a server for each message that is no plain call. */
function ofProduct(app: FastifyInstance, profile: Profile, options: McpOptions, fixOf: FixOf): Served {
  const { routes, version, publicUrl, isShown } = options
  const tools = new Map(
    toolsOf(routes)
      .filter((tool) => isIn(profile, tool))
      .map((tool) => [tool.name, tool]),
  )
  // The smallest profile has no mandates.
  const resources = resourcesOf(routes).filter(({ behindDoor }) => profile !== 'core' || !behindDoor)
  const handler = handlerOf(({ authInfo }) => {
    const request = authInfo?.extra?.['request'] as FastifyRequest
    return serverOf({ app, request, version, publicUrl, tools, resources, isShown, fixOf })
  })
  return { handler, plain: plainCalls(tools, isShown, fixOf) }
}

/** Hands the request to the server of its message. Credentials are checked by the routes that tools call. */
const passing = (request: FastifyRequest): AuthInfo => ({ token: '', clientId: '', scopes: [], extra: { request } })

/** Returns the profile that a request names; `core` without one. */
const profileOf = (request: FastifyRequest) => (queryOf(request) as { profile?: string }).profile ?? 'core'

const unknownProfile = () =>
  new EdgeRefusal(common.invalidRequest, {
    errors: [{ pointer: '/query/profile', code: 'invalid_value', detail: `Send one of ${PROFILES.join(', ')}.` }],
  })

const webRequestOf = (request: FastifyRequest, { publicUrl }: McpOptions): Request =>
  new Request(`${publicUrl}${PATH}`, { method: 'POST', headers: readHeaders(request) })

/** Sends an answer that nobody may keep. */
const sendText = (reply: FastifyReply, text: string): FastifyReply =>
  reply.code(200).header('cache-control', 'no-store').header('content-type', 'application/json').send(text)

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
