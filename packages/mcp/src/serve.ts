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
import { choices, type Choice } from './choice.ts'
import { keptLists, type Asked } from './kept-lists.ts'
import { plainCalls } from './plain-calls.ts'
import { bytesOf, messageOf, methodsOf, printedHeaders, readHeaders, refusedMessage } from './message.ts'
import { callsOf } from './locked.ts'
import { fixText, namesOf } from './refusals.ts'
import type { FixOf } from './result.ts'
import { serverOf } from './server.ts'
import { resourcesOf } from './resources.ts'
import { isIn, PROFILES, switchesOfTool, toolsOf, type Profile, type Switched, type Tool } from './tools.ts'

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
/** Messages with which a client begins; a wrong credential is refused there, not at the first call. */
const STARTS = new Set(['initialize', 'server/discover'])
/** Answers to a message as a whole: of a wrong credential, and of an address that has sent too many. */
const REFUSED = new Set([401, 429])
type Done = (error: null, payload: unknown) => void

/** Messages that are never answered from the kept lists by their bytes alone. */
const NEVER_AGAIN = new Set(['tools/call', 'server/discover'])

/**
 * Serves every tool over Streamable HTTP at `/mcp`. A message that reaches a route counts as a call of it, any other as the
 * read of a document.
 */
export function serveMcp(app: FastifyInstance, admission: Admission, options: McpOptions): ServedPlace[] {
  const fixOf = fixesOf(options)
  const products = Object.fromEntries(
    PROFILES.map((profile) => [profile, ofProduct(app, admission, profile, { ...options, fixOf })]),
  ) as Record<Profile, Product>
  const more = new Map(Object.entries(options.more ?? {}).map(([name, servers]) => [name, handlerOf(servers)]))
  const handlers = [...Object.values(products).map(({ handler }) => handler), ...more.values()]
  const choiceOf = choices({ core: products.core.tools, hub: products.hub.tools, full: products.full.tools })
  const servedBy = (request: FastifyRequest): Served => {
    const name = more.size === 0 ? '' : String(queryOf(request)['profile'])
    const other = more.get(name)
    if (other !== undefined) return { handler: other, choice: null, name }
    const choice = choiceOf(request)
    return { ...products[choice.profile], choice }
  }
  const isAllowed = callersOf(options)
  const lists = keptLists(shownNow(options))
  const onRequest = (request: FastifyRequest, _reply: FastifyReply, done: () => void) => {
    if (request.state !== null) request.state.route = PATH
    isAllowed(request)
    done()
  }
  const answerMessage = async (request: FastifyRequest, reply: FastifyReply, asked: Asked, by: Served) => {
    const message = messageOf(request, asked.bytes)
    const methods = 'parsed' in message ? methodsOf(message.parsed) : ['']
    for (const method of methods) if (!CALLS.test(method)) await admission.countDocument(request)
    if ('error' in message)
      return reply.code(400).header('content-type', 'application/json').send(JSON.stringify(message))
    if (methods.some((method) => STARTS.has(method))) await admission.checkCredential(request)
    const calls = methods.some((method) => CALLS.test(method))
    const { parsed } = message
    const single = parsed instanceof Array ? null : parsed
    const plain = calls && single !== null && by.choice !== null ? by.plain.find(asked, by.choice, single) : null
    if (plain !== null) {
      const text = await plain(app, request)
      return sendText(reply.headers(countedBy(request) ?? {}), text)
    }
    const kept = lists.find(asked, parsed)
    if (kept !== null) return sendParts(request, reply, kept)
    const answer = await by.handler.fetch(webRequestOf(request, options), {
      parsedBody: parsed,
      authInfo: passing(request, by.choice),
    })
    const counted = countedBy(request)
    if (counted !== null) void reply.headers(counted)
    else if (calls) await admission.countDocument(request)
    const type = answer.headers.get('content-type')
    return send(reply, answer, (body) => {
      const { status } = answer
      if (single === null) return
      if (calls && by.choice !== null) by.plain.learn(asked, single, { status, type, body })
      else if (!calls) lists.keep(asked, single, { status, type, body })
    })
  }
  const onSend = (request: FastifyRequest, reply: FastifyReply, payload: unknown, done: Done) => {
    if (!REFUSED.has(reply.statusCode) || typeof payload !== 'string') return done(null, payload)
    const problem = JSON.parse(payload) as Readonly<Record<string, unknown>>
    void reply.header('content-type', 'application/json')
    done(null, refusedMessage(request, problem, fixOf(problem)))
  }
  app.post(PATH, { onRequest, onSend, bodyLimit: BODY_MAX }, (request, reply) => {
    const by = servedBy(request)
    const choice = by.choice === null ? by.name : by.choice.text
    const asked = { choice, headers: printedHeaders(request), bytes: bytesOf(request) }
    const known = NEVER_AGAIN.has(String(request.headers['mcp-method'])) ? null : lists.again(asked)
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
  return ({ code, fix }) => (typeof fix === 'string' ? fixText({ fix }, names) : (fixes.get(String(code)) ?? null))
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
interface Product {
  readonly handler: McpHttpHandler
  readonly tools: ReadonlyMap<string, Tool>
  readonly plain: ReturnType<typeof plainCalls>
}

/** What answers a message: a profile of ours, or a server of a test. */
type Served =
  | (Product & { readonly choice: Choice })
  | { readonly handler: McpHttpHandler; readonly choice: null; readonly name: string }

const handlerOf = (servers: McpServerFactory): McpHttpHandler =>
  createMcpHandler(servers, { maxSubscriptions: LISTENERS_MAX, maxRequestBodySize: BODY_MAX })

/** Returns what serves the tools of a profile: a server for each message that is no plain call. */
function ofProduct(
  app: FastifyInstance,
  { refusalsOf }: Admission,
  profile: Profile,
  options: McpOptions & { readonly fixOf: FixOf },
): Product {
  const { routes, version, publicUrl, isShown, fixOf } = options
  const tools = new Map(
    toolsOf(routes)
      .filter((tool) => isIn(profile, tool))
      .map((tool) => [tool.name, tool]),
  )
  // The smallest profile has no mandates.
  const resources = resourcesOf(routes).filter(({ behindDoor }) => profile !== 'core' || !behindDoor)
  const callTool = callsOf(tools, { isShown, fixOf, refusalsOf })
  const handler = handlerOf(({ authInfo, era }) => {
    const { request, choice } = (authInfo as AuthInfo).extra as unknown as Passed
    const listens = era === 'modern'
    return serverOf({ app, request, version, publicUrl, tools, resources, isShown, fixOf, callTool, choice, listens })
  })
  return { handler, tools, plain: plainCalls(tools, isShown, fixOf, callTool) }
}

/** What the server of a message gets. */
interface Passed {
  readonly request: FastifyRequest
  readonly choice: Choice
}

/** Hands the request to the server of its message. Credentials are checked by the routes that tools call. */
const passing = (request: FastifyRequest, choice: Choice | null): AuthInfo => ({
  token: '',
  clientId: '',
  scopes: [],
  extra: { request, choice },
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
      throw new EdgeRefusal(common.originRefused, {
        detail: `The header Host must be ${own.host}.`,
        members: {
          fix: `Connect to ${publicUrl}${PATH}, or ask the operator to set SVC_PUBLIC_URL to the address you use.`,
        },
      })
    if (headers.origin !== undefined && !origins.has(headers.origin))
      throw new EdgeRefusal(common.originRefused, {
        detail: `Pages of ${headers.origin.slice(0, 200)} may not call.`,
        members: {
          fix: 'Call from a program that is no page, or ask the operator to add the origin to SVC_WEB_ORIGINS.',
        },
      })
  }
}
