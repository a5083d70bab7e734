import type { RawReply } from '@svc/service'

const ENTRIES_MAX = 256
const BYTES_MAX = 64 * 1024 * 1024

/**
 * Gives one answer of a service to all who ask the same within the time that it may be kept, and one question at a time to
 * the service. Only successes are kept. Bounded in number and bytes; the oldest go first.
 */
export interface SharedAnswers {
  /** What is kept under a key; null when it has to be asked for. */
  kept(key: string): RawReply | null
  ask(key: string, keptMs: number, ask: () => Promise<RawReply>): Promise<RawReply>
}

export function sharedAnswers(now: () => number): SharedAnswers {
  const answers = new Map<string, { readonly reply: RawReply; readonly until: number }>()
  const asking = new Map<string, Promise<RawReply>>()
  let bytes = 0
  const forget = (key: string) => {
    bytes -= answers.get(key)?.reply.body.length ?? 0
    answers.delete(key)
  }
  const keep = (key: string, keptMs: number, reply: RawReply) => {
    forget(key)
    if (reply.body.length > BYTES_MAX) return
    answers.set(key, { reply, until: now() + keptMs })
    bytes += reply.body.length
    for (const oldest of answers.keys()) {
      if (answers.size <= ENTRIES_MAX && bytes <= BYTES_MAX) break
      forget(oldest)
    }
  }
  const kept = (key: string): RawReply | null => {
    const known = answers.get(key)
    return known !== undefined && known.until > now() ? known.reply : null
  }
  return {
    kept,
    ask: (key, keptMs, ask) => {
      const running = asking.get(key)
      if (running !== undefined) return running
      const started = ask()
        .then((reply) => {
          if (reply.head.s < 400) keep(key, keptMs, reply)
          return reply
        })
        .finally(() => asking.delete(key))
      asking.set(key, started)
      return started
    },
  }
}
