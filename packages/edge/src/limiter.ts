import { LRUCache } from 'lru-cache'

/** A named allowance: `limit` calls of `key` in a window of `windowSec` that starts on a multiple of `windowSec`. */
interface Allowance {
  readonly name: string
  readonly key: string
  readonly limit: number
  readonly windowSec: number
  /** Counted in Postgres too, so that it survives the loss of Redis. */
  readonly durable: boolean
}

/** An allowance with the texts that every request needs, which are made once. */
export interface Policy extends Allowance {
  readonly id: string
  /** Value of `RateLimit-Policy`. */
  readonly text: string
}

/** Completes an allowance; keep the result for as long as the allowance is used. */
export const policyOf = (allowance: Allowance): Policy => ({
  ...allowance,
  id: `${allowance.name}:${allowance.key}`,
  text: `"${allowance.name}";q=${allowance.limit};w=${allowance.windowSec}`,
})

export interface Verdict {
  readonly allowed: boolean
  readonly policy: Policy
  /** Calls left in the window, as this gateway knows it. */
  readonly remaining: number
  /** Seconds to the end of the window. */
  readonly resetSec: number
}

export interface Grant {
  readonly granted: number
  readonly used: number
}

/** Shared counters. All calls may fail; the limiter then counts in this process. */
export interface Counters {
  /**
   * Takes up to `want` calls from what is left. Returns null for a durable counter that is unknown and must be seeded
   * first.
   */
  take(key: string, want: number, limit: number, ttlSec: number, durable: boolean): Promise<Grant | null>
  seed(key: string, used: number, ttlSec: number): Promise<void>
  giveBack(key: string, count: number): Promise<void>
}

/** Durable usage per account and UTC day. */
export interface UsageStore {
  add(rows: readonly { readonly key: string; readonly window: number; readonly count: number }[]): Promise<void>
  used(key: string, window: number): Promise<number>
}

export interface LimiterOptions {
  readonly counters: Counters
  readonly usage: UsageStore
  readonly now?: () => number
  readonly onOutage?: (what: 'counters' | 'usage', error: unknown) => void
}

export interface Limiter {
  /** Counts a call, at once while the lease has calls left. */
  take(policy: Policy): Verdict | Promise<Verdict>
  /**
   * Returns how many calls of the window were made at all gateways, and when the next one begins; counts nothing. Calls that
   * another gateway has leased count as used, so it may differ by less than a lease of each. Null while nobody knows.
   */
  read(policy: Policy): Promise<{ readonly used: number; readonly resetsAt: Date } | null>
  /** Returns the refusal of an allowance that is known to be used up, without asking the counters; else null. */
  spent(policy: Policy): Verdict | null
  /** Writes what was granted since the last time to the usage store. */
  flush(): Promise<void>
  /** Returns unused calls to the counters and flushes. */
  close(): Promise<void>
}

interface Lease {
  window: number
  limit: number
  left: number
  /** Calls that all gateways used when the lease was granted, this lease included. */
  used: number
  pending: Promise<void> | null
}

const LEASES_MAX = 100_000
/** A lease is at most this share of the limit, so that the leases of a lost gateway stay below one percent. */
const LEASE_SHARE = 200
/** The same for a window of a minute: what a lost gateway held comes back with the next one. */
const MINUTE_LEASE_SHARE = 20

const leaseSize = ({ limit, windowSec }: Policy) =>
  Math.max(1, Math.floor(limit / (windowSec > 60 ? LEASE_SHARE : MINUTE_LEASE_SHARE)))
const windowOf = ({ windowSec }: Policy, at: number) => Math.floor(at / 1000 / windowSec)
const sharedKey = (name: string, window: number, key: string) => `${name}:${window}:${key}`

const verdictOf = (policy: Policy, lease: Lease, allowed: boolean, at: number): Verdict => ({
  allowed,
  policy,
  remaining: Math.max(0, policy.limit - lease.used + lease.left),
  resetSec: Math.max(1, Math.ceil((windowOf(policy, at) + 1) * policy.windowSec - at / 1000)),
})

/** Returns true if the lease was granted for this window and limit. */
const isFor = (lease: Lease, policy: Policy, window: number) => lease.window === window && lease.limit === policy.limit

/**
 * Counts calls in fixed windows (UTC days for the daily quota). Each gateway leases small batches from the shared counter
 * and spends them without asking again. A lease is deducted when it is granted, so gateways together never exceed the
 * limit while the counter lives.
 */
export function createLimiter(options: LimiterOptions): Limiter {
  const now = options.now ?? Date.now
  const leases = new LRUCache<string, Lease>({ max: LEASES_MAX })
  const usage = unwrittenUsage(options)
  const { grant, usedOf } = counting(options, usage)
  const renew = renewing(grant, usage)

  const slow = async (policy: Policy, lease: Lease): Promise<Verdict> => {
    for (;;) {
      const window = windowOf(policy, now())
      if (isFor(lease, policy, window) && lease.left > 0) {
        lease.left -= 1
        return verdictOf(policy, lease, true, now())
      }
      if (lease.pending === null) {
        if (isFor(lease, policy, window) && lease.used >= policy.limit) return verdictOf(policy, lease, false, now())
        lease.pending = renew(policy, window, lease).finally(() => {
          lease.pending = null
        })
      }
      await lease.pending
      if (lease.window === window && lease.left === 0 && lease.used >= lease.limit)
        return verdictOf(policy, lease, false, now())
    }
  }
  const leaseOf = (id: string): Lease => {
    const lease = leases.get(id) ?? { window: -1, limit: 0, left: 0, used: 0, pending: null }
    leases.set(id, lease)
    return lease
  }

  return {
    read: async (policy) => {
      const window = windowOf(policy, now())
      const used = await usedOf(policy, window, leases.peek(policy.id))
      if (used === null) return null
      const lease = leases.peek(policy.id)
      const left = lease !== undefined && isFor(lease, policy, window) ? lease.left : 0
      return { used: Math.max(0, used - left), resetsAt: new Date((window + 1) * policy.windowSec * 1000) }
    },
    spent: (policy) => {
      const lease = leases.get(policy.id)
      const at = now()
      if (lease === undefined || !isFor(lease, policy, windowOf(policy, at))) return null
      return lease.left === 0 && lease.used >= policy.limit ? verdictOf(policy, lease, false, at) : null
    },
    take: (policy) => {
      const lease = leases.get(policy.id)
      const at = now()
      if (lease !== undefined && lease.left > 0 && isFor(lease, policy, windowOf(policy, at))) {
        lease.left -= 1
        return verdictOf(policy, lease, true, at)
      }
      return slow(policy, lease ?? leaseOf(policy.id))
    },
    flush: usage.flush,
    close: async () => {
      const unused = [...leases.entries()].filter(([, lease]) => lease.left > 0)
      // All at once: one after another, counters that do not answer would delay the stop for minutes.
      await Promise.all(
        unused.map(async ([id, lease]) => {
          const separator = id.indexOf(':')
          const [name, key] = [id.slice(0, separator), id.slice(separator + 1)]
          const { window, left } = lease
          lease.left = 0
          await options.counters.giveBack(sharedKey(name, window, key), left).catch(() => {})
          if (name === 'daily') usage.note(key, window, -left)
        }),
      )
      await usage.flush()
    },
  }
}

interface UnwrittenUsage {
  note(key: string, window: number, count: number): void
  flush(): Promise<void>
}

/** Collects durable usage between two writes; rows of a write that fails are kept for the next one. */
function unwrittenUsage({ usage, onOutage }: LimiterOptions): UnwrittenUsage {
  let unwritten = new Map<string, { key: string; window: number; count: number }>()
  const note = (key: string, window: number, count: number) => {
    const id = `${window}:${key}`
    unwritten.set(id, { key, window, count: (unwritten.get(id)?.count ?? 0) + count })
  }
  const flush = async () => {
    if (unwritten.size === 0) return
    const rows = [...unwritten.values()]
    unwritten = new Map()
    try {
      await usage.add(rows)
    } catch (error) {
      onOutage?.('usage', error)
      for (const { key, window, count } of rows) note(key, window, count)
    }
  }
  return { note, flush }
}

type TakeGrant = (policy: Policy, window: number, want: number, lease: Lease) => Promise<Grant>

interface Counting {
  /** Takes calls of a window from the counters, or from what this process knows while they are down. */
  readonly grant: TakeGrant
  /** Returns the calls of a window that are used or leased; null if neither the counters nor the durable sum answer. */
  readonly usedOf: (policy: Policy, window: number, lease: Lease | undefined) => Promise<number | null>
}

function counting({ counters, usage, onOutage }: LimiterOptions, unwritten: UnwrittenUsage): Counting {
  const ask = async (policy: Policy, window: number, want: number): Promise<Grant> => {
    const key = sharedKey(policy.name, window, policy.key)
    const ttlSec = policy.windowSec * 2
    const take = () => counters.take(key, want, policy.limit, ttlSec, policy.durable)
    const granted = await take()
    if (granted !== null) return granted
    await unwritten.flush()
    await counters.seed(key, await usage.used(policy.key, window), ttlSec)
    const seeded = await take()
    if (seeded === null) throw new Error('counter could not be seeded')
    return seeded
  }
  /** Returns the durable sum; null if there is none. */
  const sumOf = async ({ durable, key }: Policy, window: number): Promise<number | null> => {
    if (!durable) return null
    await unwritten.flush()
    return usage.used(key, window).catch(() => null)
  }
  const seenBy = (lease: Lease | undefined, window: number) => (lease?.window === window ? lease.used : 0)
  /** Counts in this process: from the durable sum if there is one, else from what this lease saw. */
  const countAlone = async (policy: Policy, window: number, want: number, lease: Lease): Promise<Grant> => {
    const used = Math.max(seenBy(lease, window), (await sumOf(policy, window)) ?? 0)
    const granted = Math.max(0, Math.min(want, policy.limit - used))
    return { granted, used: used + granted }
  }
  return {
    grant: (policy, window, want, lease) =>
      ask(policy, window, want).catch((error: unknown) => {
        onOutage?.('counters', error)
        return countAlone(policy, window, want, lease)
      }),
    usedOf: async (policy, window, lease) => {
      try {
        return (await ask(policy, window, 0)).used
      } catch (error) {
        onOutage?.('counters', error)
        const sum = await sumOf(policy, window)
        return sum === null ? null : Math.max(sum, seenBy(lease, window))
      }
    },
  }
}

/** Returns a function that fills a lease with the next calls of a window. */
function renewing(grant: TakeGrant, unwritten: UnwrittenUsage) {
  return async (policy: Policy, window: number, lease: Lease): Promise<void> => {
    const { granted, used } = await grant(policy, window, leaseSize(policy), lease)
    lease.left = granted
    lease.used = used
    lease.window = window
    lease.limit = policy.limit
    if (granted > 0 && policy.durable) unwritten.note(policy.key, window, granted)
  }
}
