import { setTimeout as delay } from 'node:timers/promises'
import { Outage, redisTls, type Kit } from '@svc/service'
import { Redis } from 'ioredis'
import { z } from 'zod'
import type { Purpose } from '../rules/sign-in-message.ts'
import { NONCE_LIFE_SEC } from '../rules/sign-in-message.ts'
import type { Wallet } from '../rules/wallet-address.ts'

/** A sign-in message for a single use. */
export interface OpenNonce {
  readonly nonce: string
  readonly message: string
  readonly expires_at: string
  /** Client address or account that requested it. */
  readonly requester: string
}

/** Number of open messages of a wallet and purpose from which requests share the newest one. */
const OWN_MAX = 8
/** Maximum age of a shared message. At most 8 + 300 / 30 messages are open, and none is removed for another. */
const SHARED_MS = 30_000
const CONTRACT_TRIES_KEPT_SEC = 120

/** Open messages of an account that are kept; a further one closes the oldest. */
const LINKS_MAX = 8

const openKey = (wallet: Wallet, purpose: Purpose) => `id:open:${purpose}:${wallet}`
const linkKey = (accountId: number) => `id:open:link:${accountId}`
const stored = z.object({ nonce: z.string(), message: z.string(), expires_at: z.string(), requester: z.string() })

// Adds a message, or returns the newest one if enough are open. Anybody may request messages of any wallet. If old ones
// were removed, a stranger could prevent the wallet's owner from signing in.
const ADD = `
local now = tonumber(ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ${NONCE_LIFE_SEC * 1000})
local newest = redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')
local last = tonumber(newest[2] or 0)
if redis.call('ZCARD', KEYS[1]) >= ${OWN_MAX} and now - last < ${SHARED_MS} then return newest[1] end
-- Those of one millisecond keep their order.
redis.call('ZADD', KEYS[1], math.max(now, last + 1), ARGV[2])
redis.call('EXPIRE', KEYS[1], ${NONCE_LIFE_SEC})
return ARGV[2]`

interface WithAdd {
  addOpenNonce(key: string, now: number, entry: string): Promise<string>
}

/** Open sign-in messages in Redis. Every failure of Redis is an `Outage`: sign-in requires Redis. */
export interface NonceStore {
  /** Opens a message; returns the one to sign, which another requester opened if too many are open. */
  add(wallet: Wallet, purpose: Purpose, open: OpenNonce, now: Date): Promise<OpenNonce>
  /** Returns all open messages, newest first. */
  list(wallet: Wallet, purpose: Purpose): Promise<readonly OpenNonce[]>
  /** Closes a message. Returns true to exactly one of all callers. */
  consume(wallet: Wallet, purpose: Purpose, open: OpenNonce): Promise<boolean>
  /** Opens a message for an account. Nobody else can ask for one in its name, so a further one closes the oldest. */
  addLink(accountId: number, open: OpenNonce, now: Date): Promise<void>
  /** Returns all open messages of an account, newest first. */
  listLinks(accountId: number): Promise<readonly OpenNonce[]>
  /** Closes a message of an account. Returns true to exactly one of all callers. */
  consumeLink(accountId: number, open: OpenNonce): Promise<boolean>
  /** Counts a sign-in that calls the chain; returns the requester's number of such sign-ins in this minute. */
  countContractTry(requester: string, now: Date): Promise<number>
  close(): void
}

/** Opens the store. Waits for Redis at most a second. */
export async function openNonceStore(
  url: string,
  authority: string | null = null,
  watch?: Kit['watch'],
): Promise<NonceStore> {
  const redis = new Redis(url, {
    ...redisTls(url, authority),
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 2_000,
    commandTimeout: 1_000,
    retryStrategy: (attempt) => Math.min(attempt * 50, 500),
  })
  redis.defineCommand('addOpenNonce', { numberOfKeys: 1, lua: ADD })
  const scripted = redis as unknown as WithAdd
  // Failures reach the calls that need Redis; an error event without a listener would end the process.
  redis.on('error', () => {})
  watch?.({ dependency: 'redis', look: () => redis.ping() })
  await Promise.race([new Promise((resolve) => redis.once('ready', resolve)), delay(1_000, undefined, { ref: false })])

  const ask = async <T>(command: () => Promise<T>): Promise<T> => {
    try {
      return await command()
    } catch (error) {
      throw new Outage('redis', error instanceof Error ? error.message : 'no answer')
    }
  }
  const entryOf = ({ nonce, message, expires_at, requester }: OpenNonce) =>
    JSON.stringify({ nonce, message, expires_at, requester })
  const read = (entry: string): OpenNonce => stored.parse(JSON.parse(entry))

  return {
    add: async (wallet, purpose, open, now) =>
      read(await ask(() => scripted.addOpenNonce(openKey(wallet, purpose), now.getTime(), entryOf(open)))),
    list: async (wallet, purpose) => (await ask(() => redis.zrevrange(openKey(wallet, purpose), 0, -1))).map(read),
    consume: async (wallet, purpose, open) =>
      (await ask(() => redis.zrem(openKey(wallet, purpose), entryOf(open)))) === 1,
    addLink: async (accountId, open, now) => {
      const key = linkKey(accountId)
      const kept = redis
        .multi()
        .zadd(key, now.getTime(), entryOf(open))
        .zremrangebyrank(key, 0, -1 - LINKS_MAX)
        .expire(key, NONCE_LIFE_SEC)
      await ask(() => kept.exec())
    },
    listLinks: async (accountId) => (await ask(() => redis.zrevrange(linkKey(accountId), 0, -1))).map(read),
    consumeLink: async (accountId, open) => (await ask(() => redis.zrem(linkKey(accountId), entryOf(open)))) === 1,
    countContractTry: async (requester, now) => {
      const key = `id:contract-tries:${Math.floor(now.getTime() / 60_000)}:${requester}`
      const results = await ask(() => redis.multi().incr(key).expire(key, CONTRACT_TRIES_KEPT_SEC).exec())
      const count: unknown = results?.[0]?.[1]
      if (typeof count !== 'number') throw new Outage('redis', 'the try was not counted')
      return count
    },
    close: () => redis.disconnect(),
  }
}
