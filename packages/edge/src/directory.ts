import { isDeepStrictEqual } from 'node:util'
import type { Caller, Tier } from '@svc/contract'
import DataLoader from 'dataloader'
import { LRUCache } from 'lru-cache'

/** Credential of a request. */
export type Credential =
  | { readonly kind: 'key'; readonly hash: string }
  | { readonly kind: 'token'; readonly token: string }

/** An account as identity knows it; the tier comes from subscriptions. */
export type Account = Omit<Caller, 'tier'>

export interface DirectoryOptions {
  /** Looks up credentials in identity. Returns one entry per credential, null if it is unknown, expired or revoked. */
  readonly resolveAccounts: (credentials: readonly Credential[]) => Promise<readonly (Account | null)[]>
  /** Looks up tiers in subscriptions. Returns one entry per account, with the end of the tier. */
  readonly resolveTiers: (
    ids: readonly number[],
  ) => Promise<readonly { readonly account_id: number; readonly tier: Tier; readonly ends_at: string | null }[]>
  readonly now?: () => number
}

/**
 * Lifetime of a cached answer of identity. A revoked key must be rejected everywhere within a second, even if the event
 * about it is lost; the rest of the second is for the call.
 */
const ACCOUNT_FRESH_MS = 800
const TIER_FRESH_MS = 5_000
/** Lifetime of the last known tier while subscriptions cannot be reached. */
const TIER_GRACE_MS = 600_000
/** Shortest time between two refreshes of one credential, so that refused calls do not flood identity. */
const REFRESH_MIN_MS = 250
const ENTRIES_MAX = 50_000
const BATCH_MAX = 500

interface Entry<V> {
  readonly value: V
  at: number
}
interface PaidTier {
  readonly tier: Tier
  readonly endsAt: number
}

/** Batches the keys of one turn of the event loop into one request, without duplicates. */
function batched<K, V>(keyOf: (key: K) => string, ask: (keys: readonly K[]) => Promise<readonly V[]>) {
  const loader: DataLoader<K, V, string> = new DataLoader(
    (keys) => {
      // Answers are cached elsewhere; later keys belong to the next request.
      loader.clearAll()
      return ask(keys)
    },
    { cacheKeyFn: keyOf, maxBatchSize: BATCH_MAX, batchScheduleFn: (send) => setImmediate(send) },
  )
  return (key: K): Promise<V> => loader.load(key)
}

/** Stores an answer. An answer that equals the stored one only renews it, so that the objects made of it stay valid. */
function remember<K extends string | number, V>(cache: LRUCache<K, Entry<V>>, key: K, value: V, at: number): void {
  const known = cache.get(key)
  if (known !== undefined && isDeepStrictEqual(known.value, value)) known.at = at
  else cache.set(key, { value, at })
}

/** Finds the account of a credential, from caches that are never older than the product allows. */
export interface Directory {
  /**
   * Returns the caller, null for an invalid credential; synchronously if all facts are cached. Rejects with an outage.
   */
  resolve(credential: Credential): Promise<Caller | null> | Caller | null
  /** Returns the caller, null for an invalid credential; undefined unless all facts are cached. */
  cached(credential: Credential): Caller | null | undefined
  /**
   * Looks a credential up even if its answer is cached, at most once in `REFRESH_MIN_MS`: what its account may do can have
   * changed. Rejects with an outage.
   */
  refresh(credential: Credential): Promise<Caller | null> | Caller | null
  /** Returns true if a credential was valid at the last look-up, or the cached answer has not expired. */
  known(credential: Credential): boolean
  /** Returns true if a key with this hash was valid at the last look-up. */
  isKey(hash: string): boolean
  /** Drops an account from all caches: its keys, sessions and tier. */
  forgetAccount(accountId: number): void
}

const idOf = (credential: Credential) => (credential.kind === 'key' ? credential.hash : credential.token)

export function createDirectory(options: DirectoryOptions): Directory {
  const now = options.now ?? Date.now
  const accounts = new LRUCache<string, Entry<Account | null>>({ max: ENTRIES_MAX })
  const refreshedAt = new LRUCache<string, number>({ max: ENTRIES_MAX })
  const tiers = tierCache(options, now)
  const callerOf = callerMaker()
  const askAccount = batched<Credential, Account | null>(idOf, (keys) => options.resolveAccounts(keys))
  /** Increases with each drop, so that an answer to an earlier look-up is not cached. */
  let epoch = 0

  const freshAccount = (id: string, at: number) => {
    const entry = accounts.get(id)
    return entry !== undefined && at - entry.at < ACCOUNT_FRESH_MS ? entry : undefined
  }
  const slow = async (credential: Credential, id: string): Promise<Caller | null> => {
    let account = freshAccount(id, now())?.value
    if (account === undefined) {
      const asked = now()
      const before = epoch
      account = await askAccount(credential)
      if (before === epoch) remember(accounts, id, account, asked)
    }
    if (account === null) return null
    const tier =
      account.kind === 'service' ? 0 : (tiers.fresh(account.account_id, now()) ?? (await tiers.ask(account.account_id)))
    return callerOf(account, tier)
  }
  const cached = (id: string): Caller | null | undefined => {
    const at = now()
    const entry = freshAccount(id, at)
    if (entry?.value == null) return entry?.value
    const tier = tiers.fresh(entry.value.account_id, at)
    return tier === undefined ? undefined : callerOf(entry.value, tier)
  }
  const resolve = (credential: Credential) => {
    const id = idOf(credential)
    const caller = cached(id)
    return caller === undefined ? slow(credential, id) : caller
  }
  return {
    resolve,
    refresh: (credential) => {
      const id = idOf(credential)
      const entry = accounts.peek(id)
      if (entry !== undefined && now() - (refreshedAt.get(id) ?? -Infinity) >= REFRESH_MIN_MS) {
        refreshedAt.set(id, now())
        entry.at = -Infinity
        if (entry.value !== null) tiers.expire(entry.value.account_id)
      }
      return resolve(credential)
    },
    cached: (credential) => cached(idOf(credential)),
    isKey: (hash) => accounts.peek(hash)?.value != null,
    known: (credential) => {
      const entry = accounts.peek(idOf(credential))
      return entry !== undefined && (entry.value !== null || now() - entry.at < ACCOUNT_FRESH_MS)
    },
    forgetAccount: (accountId) => {
      epoch += 1
      tiers.forget(accountId)
      // The entries stay, but expired: `known` still distinguishes these credentials from unknown ones.
      for (const entry of accounts.values()) if (entry.value?.account_id === accountId) entry.at = -Infinity
    },
  }
}

/** Tiers of accounts as subscriptions last answered. */
function tierCache({ resolveTiers }: DirectoryOptions, now: () => number) {
  const tiers = new LRUCache<number, Entry<PaidTier>>({ max: ENTRIES_MAX })
  let epoch = 0
  const askTier = batched<number, PaidTier>(String, async (ids) => {
    const rows = new Map((await resolveTiers(ids)).map((row) => [row.account_id, row]))
    return ids.map((id) => {
      const { tier = 0, ends_at = null } = rows.get(id) ?? {}
      return { tier, endsAt: ends_at === null ? Infinity : Date.parse(ends_at) }
    })
  })
  const known = (id: number, ageMaxMs: number, at: number): Tier | undefined => {
    const entry = tiers.get(id)
    if (entry === undefined || at - entry.at >= ageMaxMs) return undefined
    return entry.value.endsAt > at ? entry.value.tier : 0
  }
  return {
    /** Returns the tier if the answer is fresh. */
    fresh: (id: number, at: number) => known(id, TIER_FRESH_MS, at),
    /** Looks up the tier; returns the last known one while subscriptions cannot be reached. */
    ask: async (id: number): Promise<Tier> => {
      const asked = now()
      const before = epoch
      try {
        const value = await askTier(id)
        if (before === epoch) remember(tiers, id, value, asked)
        return value.endsAt > now() ? value.tier : 0
      } catch (error) {
        const last = known(id, TIER_GRACE_MS, now())
        if (last === undefined) throw error
        return last
      }
    },
    /** Has the tier looked up next time; it stays the last known one. */
    expire: (id: number) => {
      const entry = tiers.peek(id)
      if (entry !== undefined) entry.at = Math.min(entry.at, now() - TIER_FRESH_MS)
    },
    forget: (id: number) => {
      epoch += 1
      tiers.delete(id)
    },
  }
}

/** Returns a function that builds the caller of an account; it returns the same object while the tier is the same. */
function callerMaker() {
  const callers = new WeakMap<Account, Caller>()
  return (account: Account, tier: Tier): Caller => {
    const known = callers.get(account)
    if (known?.tier === tier) return known
    const caller = { ...account, tier }
    callers.set(account, caller)
    return caller
  }
}
