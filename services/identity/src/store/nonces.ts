import { Outage } from '@svc/service'
import { Redis } from 'ioredis'
import { z } from 'zod'
import type { Purpose } from '../domain/sign-in-message.ts'
import { NONCE_LIFE_SEC } from '../domain/sign-in-message.ts'
import type { Wallet } from '../domain/wallet-address.ts'

/** An open sign-in message. */
export interface OpenNonce {
  readonly nonce: string
  readonly message: string
}

/** Messages of one wallet and purpose that are tried when the caller does not name the one it signed. */
const OPEN_MAX = 8

const nonceKey = (nonce: string) => `id:nonce:${nonce}`
const listKey = (wallet: Wallet, purpose: Purpose) => `id:nonces:${purpose}:${wallet}`
const stored = z.object({ wallet: z.string(), purpose: z.string(), message: z.string() })

/** Open nonces in Redis, each good for one use. Every failure of Redis is an `Outage`: without it nobody signs in. */
export interface NonceStore {
  add(wallet: Wallet, purpose: Purpose, open: OpenNonce): Promise<void>
  /** The newest open nonces, newest first. */
  list(wallet: Wallet, purpose: Purpose): Promise<readonly OpenNonce[]>
  /** One open nonce by its name; null when it is not open or of another wallet or purpose. */
  find(nonce: string, wallet: Wallet, purpose: Purpose): Promise<OpenNonce | null>
  /** Takes a nonce away. True for exactly one of all that ask. */
  consume(nonce: string): Promise<boolean>
  close(): void
}

/** Opens the store; does not wait for Redis longer than a second. */
export async function openNonceStore(url: string): Promise<NonceStore> {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 2_000,
    commandTimeout: 1_000,
    retryStrategy: (attempt) => Math.min(attempt * 50, 500),
  })
  // Failures reach the calls that need Redis; an error event without a listener would end the process.
  redis.on('error', () => {})
  await Promise.race([
    new Promise((resolve) => redis.once('ready', resolve)),
    new Promise((resolve) => setTimeout(resolve, 1_000).unref()),
  ])

  const ask = async <T>(command: () => Promise<T>): Promise<T> => {
    try {
      return await command()
    } catch (error) {
      throw new Outage('redis', error instanceof Error ? error.message : 'no answer')
    }
  }
  const read = async (nonces: readonly string[], wallet: Wallet, purpose: Purpose): Promise<OpenNonce[]> => {
    if (nonces.length === 0) return []
    const values = await ask(() => redis.mget(nonces.map(nonceKey)))
    return nonces.flatMap((nonce, at) => {
      const value = values[at]
      if (value === null || value === undefined) return []
      const record = stored.parse(JSON.parse(value))
      return record.wallet === wallet && record.purpose === purpose ? [{ nonce, message: record.message }] : []
    })
  }

  return {
    add: async (wallet, purpose, open) => {
      const value = JSON.stringify({ wallet, purpose, message: open.message } satisfies z.input<typeof stored>)
      const list = listKey(wallet, purpose)
      const results = await ask(() =>
        redis
          .multi()
          .set(nonceKey(open.nonce), value, 'EX', NONCE_LIFE_SEC)
          .lpush(list, open.nonce)
          .ltrim(list, 0, OPEN_MAX - 1)
          .expire(list, NONCE_LIFE_SEC)
          .exec(),
      )
      if (results === null || results.some(([error]) => error !== null))
        throw new Outage('redis', 'the nonce was not stored')
    },
    list: async (wallet, purpose) =>
      read(await ask(() => redis.lrange(listKey(wallet, purpose), 0, OPEN_MAX - 1)), wallet, purpose),
    find: async (nonce, wallet, purpose) => (await read([nonce], wallet, purpose))[0] ?? null,
    consume: async (nonce) => (await ask(() => redis.getdel(nonceKey(nonce)))) !== null,
    close: () => redis.disconnect(),
  }
}
