/** A named allowance: `limit` calls of `key` in a window of `windowSec` that starts on a multiple of it. */
export interface Policy {
  readonly name: string
  readonly key: string
  readonly limit: number
  readonly windowSec: number
  /** Counted in Postgres too, so that it survives the loss of Redis. */
  readonly durable: boolean
}

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

/** Shared counters. Both may fail; the limiter then counts by itself. */
export interface Counters {
  /**
   * Takes up to `want` from what is left. `null` when the counter is unknown and must be seeded
   * (durable ones only).
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
  take(policy: Policy): Verdict | Promise<Verdict>
  /** The refusal of an allowance that is known to be used up, without asking anybody; null where that is not known. */
  spent(policy: Policy): Verdict | null
  /** Writes what was granted since the last time to the usage store. */
  flush(): Promise<void>
  /** Gives unused leases back and flushes. */
  close(): Promise<void>
}

interface Lease {
  window: number
  limit: number
  left: number
  /** Used by everybody when the lease was granted, this lease included. */
  used: number
  pending: Promise<void> | null
}

const MAX_LEASES = 100_000
/** A lease is at most this share of the limit, so that what a lost gateway held stays below one percent. */
const LEASE_SHARE = 200

const leaseSize = (limit: number) => Math.max(1, Math.floor(limit / LEASE_SHARE))

/**
 * Counts calls in fixed windows (UTC days for the daily quota). Each gateway leases small batches
 * from the shared counter and spends them without asking again; a lease is deducted when granted,
 * so gateways together never exceed the limit while the counter lives.
 */
export function createLimiter(options: LimiterOptions): Limiter {
  const now = options.now ?? Date.now
  const leases = new Map<string, Lease>()
  let unwritten = new Map<string, { key: string; window: number; count: number }>()

  const windowOf = (policy: Policy, at = now()) => Math.floor(at / 1000 / policy.windowSec)
  const sharedKey = (policy: Policy, window: number) => `${policy.name}:${window}:${policy.key}`
  const note = (policy: Policy, window: number, count: number) => {
    if (!policy.durable) return
    const id = `${window}:${policy.key}`
    const row = unwritten.get(id)
    unwritten.set(id, { key: policy.key, window, count: (row?.count ?? 0) + count })
  }

  const flush = async () => {
    if (unwritten.size === 0) return
    const rows = unwritten
    unwritten = new Map()
    try {
      await options.usage.add([...rows.values()])
    } catch (error) {
      options.onOutage?.('usage', error)
      for (const [id, row] of rows) unwritten.set(id, { ...row, count: row.count + (unwritten.get(id)?.count ?? 0) })
    }
  }

  const grant = async (policy: Policy, window: number, lease: Lease): Promise<Grant> => {
    const key = sharedKey(policy, window)
    const want = leaseSize(policy.limit)
    const ttl = policy.windowSec * 2
    try {
      let answer = await options.counters.take(key, want, policy.limit, ttl, policy.durable)
      if (answer === null) {
        await flush()
        await options.counters.seed(key, await options.usage.used(policy.key, window), ttl)
        answer = await options.counters.take(key, want, policy.limit, ttl, policy.durable)
      }
      if (answer === null) throw new Error('counter could not be seeded')
      return answer
    } catch (error) {
      options.onOutage?.('counters', error)
      // Counting by itself: from the durable sum where there is one, else from what this lease saw.
      let used = lease.window === window ? lease.used : 0
      if (policy.durable) {
        await flush()
        used = Math.max(used, await options.usage.used(policy.key, window).catch(() => used))
      }
      const granted = Math.min(want, policy.limit - used)
      return granted <= 0 ? { granted: 0, used } : { granted, used: used + granted }
    }
  }

  const renew = async (policy: Policy, window: number, lease: Lease) => {
    const { granted, used } = await grant(policy, window, lease)
    lease.left = granted
    lease.used = used
    lease.window = window
    lease.limit = policy.limit
    if (granted > 0) note(policy, window, granted)
  }

  const verdict = (policy: Policy, lease: Lease, allowed: boolean, at = now()): Verdict => ({
    allowed,
    policy,
    remaining: Math.max(0, policy.limit - lease.used + lease.left),
    resetSec: Math.max(1, Math.ceil((windowOf(policy, at) + 1) * policy.windowSec - at / 1000)),
  })

  const slow = async (policy: Policy, id: string): Promise<Verdict> => {
    for (;;) {
      const window = windowOf(policy)
      let lease = leases.get(id)
      if (lease === undefined) {
        if (leases.size >= MAX_LEASES) {
          const oldest = leases.keys().next()
          if (!oldest.done) leases.delete(oldest.value)
        }
        lease = { window: -1, limit: 0, left: 0, used: 0, pending: null }
        leases.set(id, lease)
      }
      if (lease.window === window && lease.left > 0 && lease.limit === policy.limit) {
        lease.left -= 1
        return verdict(policy, lease, true)
      }
      if (lease.pending === null) {
        const mine = lease
        const askedExhausted = lease.window === window && lease.limit === policy.limit && lease.used >= policy.limit
        if (askedExhausted) return verdict(policy, lease, false)
        lease.pending = renew(policy, window, mine).finally(() => {
          mine.pending = null
        })
      }
      await lease.pending
      if (lease.window === window && lease.left === 0 && lease.used >= lease.limit) return verdict(policy, lease, false)
    }
  }

  return {
    spent: (policy) => {
      const lease = leases.get(`${policy.name}:${policy.key}`)
      const at = now()
      const isSpent =
        lease !== undefined &&
        lease.left === 0 &&
        lease.used >= policy.limit &&
        lease.limit === policy.limit &&
        lease.window === windowOf(policy, at)
      return isSpent ? verdict(policy, lease, false, at) : null
    },
    take: (policy) => {
      const id = `${policy.name}:${policy.key}`
      const lease = leases.get(id)
      const at = now()
      if (
        lease !== undefined &&
        lease.left > 0 &&
        lease.limit === policy.limit &&
        lease.window === windowOf(policy, at)
      ) {
        lease.left -= 1
        return verdict(policy, lease, true, at)
      }
      return slow(policy, id)
    },
    flush,
    close: async () => {
      const unused = [...leases].filter(([, lease]) => lease.left > 0)
      // All at once: one after another, counters that do not answer would hold the end up for minutes.
      await Promise.all(
        unused.map(async ([id, lease]) => {
          const separator = id.indexOf(':')
          const name = id.slice(0, separator)
          const key = id.slice(separator + 1)
          const { window, left } = lease
          lease.left = 0
          await options.counters.giveBack(`${name}:${window}:${key}`, left).catch(() => {})
          if (name !== 'daily') return
          const row = unwritten.get(`${window}:${key}`)
          unwritten.set(`${window}:${key}`, { key, window, count: (row?.count ?? 0) - left })
        }),
      )
      await flush()
    },
  }
}
