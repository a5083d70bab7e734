import type { FastifyInstance, FastifyRequest } from 'fastify'
import { through, type Route } from '@svc/edge'
import { KEY_ARGUMENT, type Tool } from './tools.ts'

/** Answer of the route of a tool. */
export interface Answer {
  readonly status: number
  /** Parsed body; null for an answer that is no JSON. */
  readonly body: Readonly<Record<string, unknown>> | null
  readonly type: string
}

/** Headers of a call that its route reads too. */
const PASSED = ['x-svc-user-key', 'authorization', 'host', 'origin', 'traceparent'] as const

/**
 * Calls the route of a tool in this process, as if the client had called it over HTTP: credential, scopes, tier, quota,
 * switches, validation, idempotency and logs are those of the route. Arguments that the route refuses are answered by it.
 */
export async function callRoute(
  app: FastifyInstance,
  request: FastifyRequest,
  tool: Tool,
  given: Readonly<Record<string, unknown>>,
): Promise<Answer> {
  const { [KEY_ARGUMENT]: key, ...input } = given
  const { method, url, body } = addressOf(tool.route, input)
  const headers: Record<string, string> = { accept: 'application/json', 'x-request-id': request.id }
  for (const name of PASSED) {
    const value = request.headers[name]
    if (typeof value === 'string') headers[name] = value
  }
  if (tool.route.operation.idempotent === true && key !== undefined) headers['idempotency-key'] = textOf(key)
  if (body !== null) headers['content-type'] = 'application/json'
  const payload = body === null ? {} : { payload: JSON.stringify(body) }
  const reply = await through(
    'mcp',
    async () => await app.inject({ method, url, headers, remoteAddress: request.ip, ...payload }),
  )
  const type = String(reply.headers['content-type'] ?? '')
  const isJson = /^application\/(problem\+)?json/.test(type)
  return { status: reply.statusCode, body: isJson ? (reply.json() as Record<string, unknown>) : null, type }
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
    else query.set(name, textOf(value))
  }
  url = url.replaceAll(/\{\w+\}/g, NO_SEGMENT)
  const search = query.size === 0 ? '' : `?${query.toString()}`
  return { method, url: `${url}${search}`, body: rest === 'body' ? body : null }
}

/** Segment of a missing, empty or relative name: no route knows it, and it leads to no other route. */
const NO_SEGMENT = '-'
const segmentOf = (text: string) => (/^\.{0,2}$/.test(text) ? NO_SEGMENT : encodeURIComponent(text.toWellFormed()))

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : Array.isArray(value) ? value.map(textOf).join(',') : JSON.stringify(value)
