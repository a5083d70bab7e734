import type { RawReply } from '@svc/service'
import { LRUCache } from 'lru-cache'

const ENTRIES_MAX = 256
const BYTES_MAX = 64 * 1024 * 1024

/**
 * Shares an answer of a service among all callers with the same request until it expires, and sends the service one
 * such request at a time. Only successes are cached. Limited in number and bytes; the least recently used answers are
 * dropped first.
 */
export interface SharedAnswers {
  /** Returns the cached answer of a key; null if the service has to be called. */
  kept(key: string): RawReply | null
  ask(key: string, keptMs: number, ask: () => Promise<RawReply>): Promise<RawReply>
}

/** `now` returns milliseconds that never go back. */
export function sharedAnswers(now: () => number): SharedAnswers {
  const answers = new LRUCache<string, { readonly reply: RawReply; readonly until: number }>({
    max: ENTRIES_MAX,
    maxSize: BYTES_MAX,
    sizeCalculation: ({ reply }) => Math.max(1, reply.body.length),
  })
  const asking = new Map<string, Promise<RawReply>>()
  return {
    kept: (key) => {
      const known = answers.get(key)
      return known !== undefined && known.until > now() ? known.reply : null
    },
    ask: (key, keptMs, ask) => {
      const running = asking.get(key)
      if (running !== undefined) return running
      const started = ask()
        .then((reply) => {
          if (reply.head.s < 400) answers.set(key, { reply, until: now() + keptMs })
          return reply
        })
        .finally(() => asking.delete(key))
      asking.set(key, started)
      return started
    },
  }
}

/** URLs in the order in which they came, with their one order: sorting a long query costs more than all else at the edge. */
const ordered = new LRUCache<string, string>({ max: ENTRIES_MAX })
/** Longer ones are sorted each time, so that few callers cannot fill the memory. */
const REMEMBERED_LENGTH_MAX = 2_000

/** Returns a URL with its query parameters in one order, so that another order of them is no other answer. */
export function inOneOrder(url: string): string {
  const place = url.indexOf('?')
  if (place === -1 || !url.includes('&', place)) return url
  const known = ordered.get(url)
  if (known !== undefined) return known
  const query = url
    .slice(place + 1)
    .split('&')
    .toSorted()
    .join('&')
  const one = `${url.slice(0, place)}?${query}`
  if (url.length <= REMEMBERED_LENGTH_MAX) ordered.set(url, one)
  return one
}
