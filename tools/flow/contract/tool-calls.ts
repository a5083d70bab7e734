import { randomUUID } from 'node:crypto'
import type { Tool } from '@svc/mcp'
import { expect } from 'vitest'
import type { RawAnswer } from './http.ts'
import { rowCounts } from './row-counts.ts'
import type { World } from './world.ts'

export type Input = Readonly<Record<string, unknown>>
type Body = Readonly<Record<string, unknown>>
export type At = Pick<World, 'send' | 'databaseUrl'>

/** Who calls, and with what. */
export interface Asked {
  readonly credential: Readonly<Record<string, string>>
  readonly input: Input
}

const REVISION = '2026-07-28'
/** Members that differ from call to call: ids of what it made, of the request itself, and what a clock counts down. */
const MADE = new Set(['request_id', 'submission_ids', 'submission_id', 'link_id', 'tx_hash', 'seconds_left'])
/** Members that name the caller. */
const CALLER = new Set(['agent_id', 'agent_wallet'])

/** Calls the route of a tool. */
export async function viaRoute(
  { send }: Pick<World, 'send'>,
  { route }: Tool,
  asked: Asked,
  key: string,
): Promise<RawAnswer> {
  const { method, places } = route
  const at = (place: string) => Object.entries(asked.input).filter(([name]) => (places[name] ?? 'body') === place)
  const path = at('path').reduce(
    (text, [name, value]) => text.replace(`{${name}}`, encodeURIComponent(String(value))),
    route.path,
  )
  const query = new URLSearchParams(
    at('query').map(([name, value]): [string, string] => [name, String(value)]),
  ).toString()
  const takesBody = method !== 'GET' && method !== 'DELETE'
  return send({
    method,
    path: query === '' ? path : `${path}?${query}`,
    headers: {
      ...asked.credential,
      ...(takesBody ? { 'content-type': 'application/json' } : {}),
      ...(route.operation.idempotent === true ? { 'idempotency-key': key } : {}),
    },
    body: takesBody ? JSON.stringify(Object.fromEntries(at('body'))) : undefined,
  })
}

/** Returns arguments as a client of a strict list sends them: null for each member that is absent. */
const withNulls = ({ printed }: Tool, given: Input): Input => ({
  ...Object.fromEntries(Object.keys(printed.inputSchema['properties'] as object).map((name) => [name, null])),
  ...given,
})

/** Calls a tool; returns the answer of `/mcp` with the structured content of the result. */
export async function viaTool(
  { send }: At,
  tool: Tool,
  { credential, input }: Asked,
  key: string,
  list: 'plain' | 'strict' = 'plain',
): Promise<{ readonly answer: RawAnswer; readonly content: Body; readonly replayed: boolean }> {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': REVISION,
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const { name, route } = tool
  const given = route.operation.idempotent === true ? { ...input, idempotency_key: key } : input
  const answer = await send({
    method: 'POST',
    path: `/mcp?profile=full${list === 'strict' ? '&schemas=strict' : ''}`,
    headers: {
      ...credential,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': REVISION,
      'mcp-method': 'tools/call',
      'mcp-name': name,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: list === 'strict' ? withNulls(tool, given) : given, _meta: meta },
    }),
  })
  const { result } = answer.json as { result?: { structuredContent?: Body; _meta?: Body } }
  if (result?.structuredContent === undefined) throw new Error(`${name}: ${answer.status} ${answer.text.slice(0, 500)}`)
  return { answer, content: result.structuredContent, replayed: result._meta?.['replayed'] === true }
}

/** Members that the clause of the end date reads from the clock. */
const OF_CLOCK = ['used', 'would_be', 'headroom'] as const
const isClauseOfTime = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && Reflect.get(value, 'unit') === 'unix_seconds'

/** The end of a draft, in the words of its clause. */
const END_IN_WORDS = /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC \(Unix time \d+\)/g

/** A tool adds the fix to a problem, in words that name tools, and to the answer of `hub_me` which tools are locked. */
const withoutAdded = (body: Body): Body => {
  const { fix: _fix, ...refused } = body
  const { locked, ...rest } = body
  if (body['ok'] === false) return refused
  return Array.isArray(locked) ? rest : body
}

/** Returns an answer without times, without what the call made, and without the marks around words of strangers. */
export const compared = (body: unknown, hidden: ReadonlySet<string> = new Set()): unknown =>
  JSON.parse(JSON.stringify(withoutAdded(body as Body)), (name: string, value: unknown) => {
    if (MADE.has(name) || hidden.has(name)) return typeof value
    if (isClauseOfTime(value))
      return { ...value, ...Object.fromEntries(OF_CLOCK.map((one) => [one, typeof value[one]])) }
    if (typeof value !== 'string') return value
    const timeless = value.replaceAll(END_IN_WORDS, 'a time')
    const text = hidden.has('agent_id') ? timeless.replaceAll(/\/agents\/\d+\//g, '/agents/{agent_id}/') : timeless
    return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) ? 'a time' : text.replaceAll(/⟦data: (.*?)⟧/gs, '$1')
  })

/** Returns what an answer says of the allowance that counted it. */
export const allowanceOf = ({ headers }: RawAnswer) => {
  const found = /^"(\w+)";r=(\d+);t=(\d+)$/.exec(String(headers['ratelimit']))
  return found === null ? null : { name: found[1], left: Number(found[2]), resetSec: Number(found[3]) }
}

/** Returns what a call adds to the tables of its service, and what it answers. */
export async function withRows<T>(
  { databaseUrl }: At,
  { route }: Tool,
  call: () => Promise<T>,
  tables: RegExp = /./,
): Promise<{ readonly answer: T; readonly added: readonly (readonly [string, number])[] }> {
  const schemas = route.method === 'GET' ? [] : [route.operation.service.replaceAll('-', '_')]
  const before = await rowCounts(databaseUrl, schemas)
  const answer = await call()
  const after = await rowCounts(databaseUrl, schemas)
  const added = Object.entries(after).map(([table, rows]) => [table, rows - (before[table] ?? 0)] as const)
  return { answer, added: added.filter(([table, rows]) => rows !== 0 && tables.test(table)) }
}

/** Requires that the calls after an answer, up to the one of a later answer, were counted once each by the same allowance. */
export function expectCounted(earlier: RawAnswer, later: RawAnswer, calls: number): void {
  const [before, after] = [earlier, later].map(allowanceOf)
  expect(after?.name).toBe(before?.name)
  // A window of a minute may end in between.
  if (before && after && after.resetSec <= before.resetSec) expect(before.left - after.left).toBe(calls)
}

/**
 * Compares a tool, and the same tool of a strict list with null for each absent member, with its route for a caller whose calls
 * find the same again; returns the status of the route. A tool that its switches hide is not to be had, and neither is its route. `tables` are those to which nothing else adds rows meanwhile;
 * the members in `hidden` differ from call to call.
 */
export async function expectSame(
  at: At,
  tool: Tool,
  asked: Asked,
  tables: RegExp = /./,
  hidden: ReadonlySet<string> = new Set(),
): Promise<number> {
  const key = randomUUID()
  const first = await withRows(at, tool, () => viaRoute(at, tool, asked, key), tables)
  const second = await withRows(at, tool, () => viaTool(at, tool, asked, randomUUID()), tables)
  const { status } = first.answer
  if (second.answer.content['code'] === 'not_available') {
    expect(status).toBe(404)
    return status
  }
  const between = await viaRoute(at, tool, asked, key)
  const strict = await viaTool(at, tool, asked, randomUUID(), 'strict')
  const last = await viaRoute(at, tool, asked, key)
  // Market data may move between two calls, but not twice in the same moment.
  const ofRoute = [first.answer, between, last].map(({ json }) => compared(json, hidden))
  expect(ofRoute.slice(0, 2)).toContainEqual(compared(second.answer.content, hidden))
  expect(ofRoute.slice(1)).toContainEqual(compared(strict.content, hidden))
  expect(second.added).toEqual(first.added)
  expectCounted(first.answer, last, 4)
  if (tool.route.operation.idempotent === true && status < 300)
    expect(compared((await viaTool(at, tool, asked, key)).content, hidden)).toEqual(ofRoute[0])
  return status
}

/** Where the calls of a tool leave something. */
export interface Trace {
  /** Tables to which nothing but its calls adds rows. */
  readonly tables: RegExp
  /** False if its calls change rows and add none. */
  readonly adds?: false
  /** Path that a caller reads after the call. */
  readonly after?: string
}

/**
 * Compares a tool of a strict list with its route where a second call would find what the first one made: two callers with the
 * same past call once each.
 */
export async function expectTwins(
  at: At,
  tool: Tool,
  [one, other]: readonly [Asked, Asked],
  { tables, adds, after }: Trace,
): Promise<void> {
  const key = randomUUID()
  const first = await withRows(at, tool, () => viaRoute(at, tool, one, key), tables)
  const second = await withRows(at, tool, () => viaTool(at, tool, other, randomUUID(), 'strict'), tables)
  expect(first.answer.status, first.answer.text).toBeLessThan(300)
  expect(compared(second.answer.content, CALLER)).toEqual(compared(first.answer.json, CALLER))
  expect(first.added.length > 0).toBe(adds !== false)
  expect(second.added).toEqual(first.added)
  if (after !== undefined) {
    const left = ({ credential }: Asked) => at.send({ method: 'GET', path: after, headers: credential })
    const [of, ofOther] = [await left(one), await left(other)]
    expect(of.status, of.text).toBe(200)
    expect(compared(ofOther.json, CALLER)).toEqual(compared(of.json, CALLER))
  }
  const [counted, countedToo] = [allowanceOf(first.answer), allowanceOf(second.answer.answer)]
  expect(counted).not.toBeNull()
  expect(countedToo?.name).toBe(counted?.name)
  // A window of a minute may end in between.
  if (counted && countedToo && countedToo.resetSec <= counted.resetSec) expect(countedToo.left).toBe(counted.left)
  expect((await viaTool(at, tool, one, key)).content).toEqual(first.answer.json)
}
