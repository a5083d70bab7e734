import type { PrintedParts } from '@svc/edge'
import { LRUCache } from 'lru-cache'

/** A JSON-RPC message, and where it goes. */
export interface Asked {
  /** What the client chose, as text; another choice has other answers. */
  readonly choice: string
  /** Headers that the server reads, as text. */
  readonly headers: string
  readonly bytes: Buffer
}

/** The printed end of an answer, from its result on. */
interface Kept {
  readonly type: string
  readonly rest: Buffer
}

const LISTS = new Set(['tools/list', 'resources/templates/list', 'server/discover'])
/** Lists differ by choice, revision and capabilities of the client; few clients of a deployment differ. */
const KEPT_MAX = 64
/** Messages that were read before; clients number theirs from the same start. */
const READ_MAX = 512
/** The answer to a longer message is not cached, so invented messages cannot fill the cache. */
const KEY_MAX = 1_024

/** Keeps the answers to messages that ask for lists, which are the same for everybody until a switch moves. */
interface KeptLists {
  /** Returns the answer to a message of the same bytes; null if it was not kept. */
  again(asked: Asked): PrintedParts | null
  /** Returns the answer to a message that differs from an answered one in its id; null if none was kept. */
  find(asked: Asked, message: unknown): PrintedParts | null
  /** Keeps an answer; one that is no result is not kept. */
  keep(asked: Asked, message: unknown, answer: { status: number; type: string | null; body: string }): void
}

/** Returns lists that are kept while `state` stays the same. */
export function keptLists(state: () => string): KeptLists {
  const kept = new LRUCache<string, Kept>({ max: KEPT_MAX })
  const read = new LRUCache<string, PrintedParts>({ max: READ_MAX })
  let seen = state()
  const forgetOld = () => {
    const now = state()
    if (now === seen) return
    kept.clear()
    read.clear()
    seen = now
  }
  const keyOf = ({ choice, headers }: Asked, message: unknown): string | null => {
    const { method, id, ...rest } = message as Readonly<Record<string, unknown>>
    if (typeof method !== 'string' || !LISTS.has(method) || !isId(id)) return null
    const key = JSON.stringify([choice, headers, method, rest])
    return key.length > KEY_MAX ? null : key
  }
  return {
    again: (asked) => {
      forgetOld()
      const key = bytesKeyOf(asked)
      return key === null ? null : (read.get(key) ?? null)
    },
    find: (asked, message) => {
      const key = keyOf(asked, message)
      const found = key === null ? undefined : kept.get(key)
      if (found === undefined) return null
      const { id } = message as { readonly id: string | number }
      const printed = { type: found.type, start: startOf(id), rest: found.rest }
      const bytesKey = bytesKeyOf(asked)
      if (bytesKey !== null) read.set(bytesKey, printed)
      return printed
    },
    keep: (asked, message, { status, type, body }) => {
      const key = keyOf(asked, message)
      if (key === null || status !== 200 || type?.startsWith('application/json') !== true) return
      const { result } = JSON.parse(body) as { readonly result?: unknown }
      if (result !== undefined) kept.set(key, { type, rest: Buffer.from(`"result":${JSON.stringify(result)}}`) })
    },
  }
}

/** Returns what tells messages apart; null for one that is too long to be kept. */
const bytesKeyOf = ({ choice, headers, bytes }: Asked): string | null =>
  headers.length + bytes.length > KEY_MAX ? null : `${choice}\n${headers}\n${bytes.toString('latin1')}`

/** Returns an answer up to its result, in Latin text. */
const startOf = (id: string | number): string => `{"jsonrpc":"2.0","id":${inLatin(JSON.stringify(id))},`
const inLatin = (json: string) =>
  json.replaceAll(/[^\x20-\x7e]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Returns true for the id of a message. */
export const isId = (id: unknown): id is string | number => typeof id === 'string' || Number.isSafeInteger(id)
