import { LRUCache } from 'lru-cache'

/** A JSON-RPC message that asks for a list, and where it goes. */
interface Asked {
  readonly profile: string
  /** Headers that the server reads. */
  readonly headers: readonly (readonly [string, string])[]
  readonly message: unknown
}

/** The printed result of a message, to be sent with the id of another. */
interface Kept {
  readonly type: string
  readonly result: string
}

const LISTS = new Set(['tools/list', 'resources/templates/list', 'server/discover'])
/** Lists differ by profile, revision and capabilities of the client; few clients of a deployment differ. */
const KEPT_MAX = 64
/** A longer message is answered anew: nobody fills the cache with what he made up. */
const KEY_MAX = 1_024

/** Keeps the answers to messages that ask for lists, which are the same for everybody until a switch moves. */
interface KeptLists {
  /** Returns the answer to a message that was answered before; null if it was not, or is answered anew each time. */
  find(asked: Asked): { readonly type: string; readonly body: string } | null
  /** Keeps an answer; one that is no result is not kept. */
  keep(asked: Asked, status: number, type: string | null, body: string): void
}

/** Returns lists that are kept while `state` stays the same. */
export function keptLists(state: () => string): KeptLists {
  const kept = new LRUCache<string, Kept>({ max: KEPT_MAX })
  let seen = state()
  const keyOf = ({ profile, headers, message }: Asked): string | null => {
    const { method, id, ...rest } = message as Readonly<Record<string, unknown>>
    if (typeof method !== 'string' || !LISTS.has(method) || !isId(id)) return null
    const key = JSON.stringify([profile, headers, method, rest])
    return key.length > KEY_MAX ? null : key
  }
  return {
    find: (asked) => {
      const now = state()
      if (now !== seen) kept.clear()
      seen = now
      const key = keyOf(asked)
      const found = key === null ? undefined : kept.get(key)
      if (found === undefined) return null
      const { id } = asked.message as { readonly id: string | number }
      return { type: found.type, body: `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${found.result}}` }
    },
    keep: (asked, status, type, body) => {
      const key = keyOf(asked)
      if (key === null || status !== 200 || type?.startsWith('application/json') !== true) return
      const { result } = JSON.parse(body) as { readonly result?: unknown }
      if (result !== undefined) kept.set(key, { type, result: JSON.stringify(result) })
    },
  }
}

const isId = (id: unknown): id is string | number => typeof id === 'string' || Number.isSafeInteger(id)
