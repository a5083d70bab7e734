import { isDeepStrictEqual } from 'node:util'
import type { Caller, Tier } from '@svc/contract'

/** What a request brings to prove who sends it. */
export type Credential =
  | { readonly kind: 'key'; readonly hash: string }
  | { readonly kind: 'token'; readonly token: string }

/** An account as identity knows it; the tier comes from subscriptions. */
export type Account = Omit<Caller, 'tier'>

export interface DirectoryOptions {
  /** Asks identity; one entry per credential, null where it is unknown, expired or revoked. */
  readonly resolveAccounts: (credentials: readonly Credential[]) => Promise<readonly (Account | null)[]>
  /** Asks subscriptions; one entry per account, with the end of the tier. */
  readonly resolveTiers: (
    ids: readonly number[],
  ) => Promise<readonly { readonly account_id: number; readonly tier: Tier; readonly ends_at: string | null }[]>
  readonly now?: () => number
}

/**
 * How long an answer of identity is believed. A revoked key must be dead everywhere within a
 * second, also when the event that tells so is lost; the rest of the second is for the call.
 */
const ACCOUNT_FRESH_MS = 800
const TIER_FRESH_MS = 5_000
/** While subscriptions cannot be reached, the tier last seen is believed this long. */
const TIER_GRACE_MS = 600_000
const MAX_ENTRIES = 50_000
const MAX_BATCH = 500

interface Entry<V> {
  readonly value: V
  at: number
}

/** Collects the keys asked for in one turn of the event loop into one question, and shares answers in flight. */
function batched<K, V>(keyOf: (key: K) => string, ask: (keys: readonly K[]) => Promise<readonly V[]>) {
  let waiting = new Map<
    string,
    { key: K; promise: Promise<V>; resolve: (value: V) => void; reject: (error: unknown) => void }
  >()
  const flush = () => {
    const all = [...waiting.values()]
    waiting = new Map()
    for (let from = 0; from < all.length; from += MAX_BATCH) {
      const part = all.slice(from, from + MAX_BATCH)
      ask(part.map((one) => one.key)).then(
        (values) => {
          for (const [index, one] of part.entries()) one.resolve(values[index] as V)
        },
        (error: unknown) => {
          for (const one of part) one.reject(error)
        },
      )
    }
  }
  return (key: K): Promise<V> => {
    const id = keyOf(key)
    const known = waiting.get(id)
    if (known !== undefined) return known.promise
    const { promise, resolve, reject } = Promise.withResolvers<V>()
    waiting.set(id, { key, promise, resolve, reject })
    if (waiting.size === 1) setImmediate(flush)
    return promise
  }
}

/** Keeps an answer. One that says the same as before only renews what is kept, so that it needs no place of its own. */
function remember<K, V>(cache: Map<K, Entry<V>>, key: K, value: V, at: number): void {
  const known = cache.get(key)
  if (known !== undefined && isDeepStrictEqual(known.value, value)) {
    known.at = at
    return
  }
  if (known === undefined && cache.size >= MAX_ENTRIES) {
    const oldest = cache.keys().next()
    if (!oldest.done) cache.delete(oldest.value)
  }
  cache.set(key, { value, at })
}

/** Who a credential belongs to, from caches that are never older than the product allows. */
export interface Directory {
  resolve(credential: Credential): Promise<Caller | null> | Caller | null
  /** Whether a credential was good when it was last asked for, or its answer is at hand: it costs no stranger's question. */
  known(credential: Credential): boolean
  /** Forgets an account everywhere: its keys, sessions and tier. */
  forgetAccount(accountId: number): void
}

export function createDirectory(options: DirectoryOptions): Directory {
  const now = options.now ?? Date.now
  const accounts = new Map<string, Entry<Account | null>>()
  const tiers = new Map<number, Entry<{ tier: Tier; endsAt: number }>>()
  /** Rises with each forgetting, so that an answer asked for before it is not cached after it. */
  let epoch = 0

  const idOf = (credential: Credential) => (credential.kind === 'key' ? credential.hash : credential.token)
  const askAccount = batched<Credential, Account | null>(idOf, (keys) => options.resolveAccounts(keys))
  const askTier = batched<number, { tier: Tier; endsAt: number }>(String, async (ids) => {
    const rows = new Map((await options.resolveTiers(ids)).map((row) => [row.account_id, row]))
    return ids.map((id) => {
      const row = rows.get(id)
      return {
        tier: row?.tier ?? 0,
        endsAt: row?.ends_at === undefined || row.ends_at === null ? Infinity : Date.parse(row.ends_at),
      }
    })
  })

  const freshAccount = (id: string, at: number) => {
    const entry = accounts.get(id)
    return entry !== undefined && at - entry.at < ACCOUNT_FRESH_MS ? entry : undefined
  }
  const freshTier = (id: number, maxAge: number, at: number) => {
    const entry = tiers.get(id)
    if (entry === undefined || at - entry.at >= maxAge) return undefined
    return entry.value.endsAt > at ? entry.value.tier : 0
  }
  /** The caller that was last made of an account, which most often is the next one too. */
  const callers = new WeakMap<Account, Caller>()
  const callerOf = (account: Account, tier: Tier): Caller => {
    const known = callers.get(account)
    if (known?.tier === tier) return known
    const caller = { ...account, tier }
    callers.set(account, caller)
    return caller
  }

  const tierOf = async (account: Account): Promise<Tier> => {
    const asked = now()
    const before = epoch
    try {
      const value = await askTier(account.account_id)
      if (before === epoch) remember(tiers, account.account_id, value, asked)
      return value.endsAt > now() ? value.tier : 0
    } catch (error) {
      const last = freshTier(account.account_id, TIER_GRACE_MS, now())
      if (last === undefined) throw error
      return last
    }
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
      account.kind === 'service' ? 0 : (freshTier(account.account_id, TIER_FRESH_MS, now()) ?? (await tierOf(account)))
    return callerOf(account, tier)
  }

  return {
    resolve: (credential) => {
      const id = idOf(credential)
      const at = now()
      const entry = freshAccount(id, at)
      if (entry?.value === null) return null
      if (entry !== undefined) {
        const tier = freshTier(entry.value.account_id, TIER_FRESH_MS, at)
        if (tier !== undefined) return callerOf(entry.value, tier)
      }
      return slow(credential, id)
    },
    known: (credential) => {
      const entry = accounts.get(idOf(credential))
      return entry !== undefined && (entry.value !== null || now() - entry.at < ACCOUNT_FRESH_MS)
    },
    forgetAccount: (accountId) => {
      epoch += 1
      tiers.delete(accountId)
      // Kept as out of date: `known` still tells its credentials from those of strangers.
      for (const entry of accounts.values()) if (entry.value?.account_id === accountId) entry.at = -Infinity
    },
  }
}
