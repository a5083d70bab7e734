import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { isId, type Asked } from './kept-lists.ts'
import type { CallTool } from './locked.ts'
import { isChosen, problemPlaceOf, type Choice } from './choice.ts'
import { othersOfMeta, printedResult, type FixOf } from './result.ts'
import type { Switched, Tool } from './tools.ts'

/** Envelopes that a server of the SDK accepted; the calls of a client differ in their id and arguments alone. */
const ACCEPTED_MAX = 2_048
/** A longer envelope is read by the SDK each time: nobody fills the memory with what he made up. */
const KEY_MAX = 1_024

type Members = Readonly<Record<string, unknown>>

/** Calls of tools that need no server of the SDK, because it accepted the same envelope before. */
interface PlainCalls {
  /** Returns the call of a message; null for a message that a server of the SDK has to read. */
  find(asked: Asked, choice: Choice, message: Members): PlainCall | null
  /** Notes the answer of a server of the SDK: one with a result accepted the envelope of its message. */
  learn(asked: Asked, message: Members, answer: { status: number; type: string | null; body: string }): void
}

/** Calls the tool; returns the bytes that a server of the SDK would answer. */
type PlainCall = (app: FastifyInstance, request: FastifyRequest) => Promise<string>

/**
 * Returns the plain calls of a profile. What a server of the SDK reads of a call, beside its id and arguments, is its
 * envelope: headers, name of the tool, revision and capabilities. Whether an envelope is valid is decided by the SDK alone,
 * once; a tool whose calls may wait or go on as a task is always served by it.
 */
export function plainCalls(
  tools: ReadonlyMap<string, Tool>,
  isShown: (one: Switched) => boolean,
  fixOf: FixOf,
  callTool: CallTool,
): PlainCalls {
  /** What the SDK adds to `_meta` of each result, by envelope. */
  const accepted = new LRUCache<string, Members>({ max: ACCEPTED_MAX })
  return {
    find: (asked, choice, message) => {
      const call = readCall(asked, message)
      const added = call === null ? undefined : accepted.get(call.envelope)
      const tool = call === null ? undefined : tools.get(call.name)
      if (call === null || added === undefined || tool === undefined) return null
      if (!isShown(tool) || !isChosen(choice, tool)) return null
      const place = problemPlaceOf(choice)
      return async (app, request) => {
        const answer = await callTool(app, request, tool, choice, call.given)
        const result = printedResult(answer, tool.quote, fixOf, place, added)
        return `{"result":{${result},"resultType":"complete"},"jsonrpc":"2.0","id":${JSON.stringify(call.id)}}`
      }
    },
    learn: (asked, message, { status, type, body }) => {
      const call = status === 200 && type === 'application/json' ? readCall(asked, message) : null
      const tool = call === null ? undefined : tools.get(call.name)
      if (call === null || tool === undefined || mayGoOn(tool)) return
      const { result } = JSON.parse(body) as { readonly result?: Members }
      if (result === undefined || result['resultType'] !== 'complete') return
      accepted.set(call.envelope, othersOfMeta(result['_meta'] as Members))
    },
  }
}

/** Returns true if an answer of a tool may be other than the end of its call. */
const mayGoOn = ({ route: { operation } }: Tool) => Object.hasOwn(operation.success, '202')

interface ReadCall {
  readonly id: string | number
  readonly name: string
  readonly given: Members
  readonly envelope: string
}

/** Returns a call that consists of known members alone; null for any other message. */
function readCall({ headers }: Asked, message: Members): ReadCall | null {
  const { jsonrpc, id, method, params, ...more } = message
  if (method !== 'tools/call' || jsonrpc !== '2.0' || !isId(id) || hasMembers(more) || !isObject(params)) return null
  const { name, arguments: given = {}, _meta: meta, ...others } = params
  if (typeof name !== 'string' || !isObject(given) || !isObject(meta) || hasMembers(others)) return null
  const { progressToken, ...kept } = meta
  if (progressToken !== undefined && !isId(progressToken)) return null
  const envelope = `${headers}${name}\n${JSON.stringify(kept)}`
  return envelope.length > KEY_MAX ? null : { id, name, given, envelope }
}

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const hasMembers = (of: object): boolean => {
  for (const _name in of) return true
  return false
}
