import type { FastifyInstance, FastifyRequest } from 'fastify'
import { through, type Route } from '@svc/edge'
import { KEY_ARGUMENT } from './input-schema.ts'
import type { Tool } from './tools.ts'

/** Answer of the route of a tool. */
export interface Answer {
  readonly status: number
  /** Parsed body; null for an answer that is no JSON. */
  readonly body: Readonly<Record<string, unknown>> | null
  readonly type: string
  readonly bytes: Buffer
  /** What the tool says beside the body of its route, in words of ours. */
  readonly added?: Readonly<Record<string, unknown>>
  /** What is left of the allowance that counted the call; null if none did. */
  readonly allowance: Allowance | null
  /** The same call was answered before, and nothing was done again: the header Idempotent-Replayed of the route. */
  readonly replayed: boolean
}

/** What is left of an allowance, and when it is whole again, in ISO 8601. */
interface Allowance {
  readonly remaining: number
  readonly resets_at: string
}

/** What routes said about the allowances that counted the calls of requests. */
const counted = new WeakMap<FastifyRequest, Readonly<Record<string, string>>>()
const TOLD = ['ratelimit', 'ratelimit-policy'] as const

/** Returns the headers in which a route told how it counted the call of a request; null if the request reached no route. */
export const countedBy = (request: FastifyRequest): Readonly<Record<string, string>> | null =>
  counted.get(request) ?? null

/** Headers of a call that its route reads too. */
const PASSED = ['x-svc-user-key', 'authorization', 'host', 'origin', 'traceparent'] as const

/**
 * Calls the route of a tool in this process, as if the client had called it over HTTP: credential, scopes, tier, quota,
 * switches, validation, idempotency and logs are those of the route. Arguments that the route refuses are answered by it.
 */
export async function callRoute(
  app: FastifyInstance,
  request: FastifyRequest,
  tool: Pick<Tool, 'route'>,
  given: Readonly<Record<string, unknown>>,
): Promise<Answer> {
  const { [KEY_ARGUMENT]: key, ...input } = given
  const { method, url, body } = addressOf(tool.route, input)
  const headers: Record<string, string> = { accept: 'application/json' }
  if (tool.route.operation.idempotent === true && key !== undefined) headers['idempotency-key'] = textOf(key)
  if (body !== null) headers['content-type'] = 'application/json'
  return ask(app, request, { method, url, headers, ...(body === null ? {} : { payload: JSON.stringify(body) }) })
}

/** A request of a route, with what its client sent along. */
interface Asked {
  readonly method: Route['method']
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly payload?: string
}

/** Sends a request to the edge within this process, in the name of a client of another one. */
export async function ask(app: FastifyInstance, request: FastifyRequest, asked: Asked): Promise<Answer> {
  const headers: Record<string, string> = { ...asked.headers, 'x-request-id': request.id }
  for (const name of PASSED) {
    const value = request.headers[name]
    if (typeof value === 'string') headers[name] = value
  }
  const reply = await through(
    'mcp',
    async () => await app.inject({ ...asked, headers, remoteAddress: request.ip, validate: false }),
  )
  const told: Record<string, string> = {}
  for (const name of TOLD) if (reply.headers[name] !== undefined) told[name] = String(reply.headers[name])
  counted.set(request, told)
  const type = String(reply.headers['content-type'] ?? '')
  const isJson = /^application\/(problem\+)?json/.test(type)
  return {
    status: reply.statusCode,
    body: isJson ? (reply.json() as Record<string, unknown>) : null,
    type,
    bytes: reply.rawPayload,
    allowance: allowanceOf(told['ratelimit']),
    replayed: reply.headers['idempotent-replayed'] === 'true',
  }
}

/** Returns the allowance that the header RateLimit of a route states. */
function allowanceOf(header: string | undefined): Allowance | null {
  const [, remaining, seconds] = /;r=(\d+);t=(\d+)/.exec(header ?? '') ?? []
  if (remaining === undefined || seconds === undefined) return null
  return {
    remaining: Number(remaining),
    resets_at: new Date(Date.now() + Number(seconds) * 1_000).toISOString(),
  }
}

/** Returns where the arguments of a call travel; an argument that the route does not know stays, so that it is refused. */
function addressOf({ method, path, places }: Route, input: Readonly<Record<string, unknown>>) {
  const query = new URLSearchParams()
  const body: Record<string, unknown> = {}
  const rest = method === 'GET' || method === 'DELETE' ? 'query' : 'body'
  let url = path
  for (const [name, value] of Object.entries(input)) {
    const place = Object.hasOwn(places, name) ? places[name] : rest
    if (place === 'path') url = url.replace(`{${name}}`, () => segmentOf(textOf(value)))
    else if (place === 'body') body[name] = value
    else query.set(name, typeof value === 'boolean' ? flagOf(place, value) : textOf(value))
  }
  url = url.replaceAll(/\{\w+\}/g, NO_SEGMENT)
  const search = query.size === 0 ? '' : `?${query.toString()}`
  return { method, url: `${url}${search}`, body: rest === 'body' ? body : null }
}

/** Segment of a missing, empty or relative name: no route knows it, and it leads to no other route. */
const NO_SEGMENT = '-'
const segmentOf = (text: string) => (/^\.{0,2}$/.test(text) ? NO_SEGMENT : encodeURIComponent(text.toWellFormed()))

/** A flag in a query is 0 or 1; a member that the route does not know stays as it was sent. */
const flagOf = (place: string | undefined, value: boolean) =>
  place === 'query' ? String(Number(value)) : String(value)

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : Array.isArray(value) ? value.map(textOf).join(',') : JSON.stringify(value)
