import type { Contract, Environment } from '@svc/contract'
import { Redis } from 'ioredis'
import { inject } from 'vitest'
import { disposableDatabase, type DisposableDatabase } from './database.ts'
import { disposableNats, type DisposableNats } from './nats.ts'

/** The servers for the services of one test file. */
export interface TestStack {
  readonly nats: DisposableNats
  readonly redisUrl: string
  databaseOf(service: string): DisposableDatabase
  /** Returns the settings for `start(environment)` of a service; `more` takes precedence. */
  environmentOf(service: string, more?: Environment): Environment
  stop(): Promise<void>
}

/**
 * Starts a NATS with the permissions and streams of the contracts, creates a migrated database per contract that declares
 * Postgres, and empties a Redis database, all for one test file. `opened(() => testStack([…]))` stops it with the file.
 */
export async function testStack(contracts: readonly Contract[]): Promise<TestStack> {
  const [nats, entries] = await Promise.all([
    disposableNats(contracts),
    Promise.all(
      contracts
        .filter((one) => one.postgres)
        .map(async (one) => [one.name, await disposableDatabase(one.name, one.roleOf)] as const),
    ),
  ])
  const databases = new Map(entries)
  const redisUrl = await emptyRedisDatabase()
  const databaseOf = (service: string) => {
    const database = databases.get(service)
    if (database === undefined) throw new Error(`${service} declares no Postgres schema`)
    return database
  }
  return {
    nats,
    redisUrl,
    databaseOf,
    environmentOf: (service, more = {}) => ({
      SVC_NATS_URL: nats.url,
      ...(nats.seedOf(service) === null ? {} : { SVC_NATS_SEED: nats.seedOf(service) ?? '' }),
      ...(databases.has(service) ? { SVC_POSTGRES_URL: databaseOf(service).url } : {}),
      SVC_REDIS_URL: redisUrl,
      SVC_LOG_LEVEL: 'silent',
      SVC_INTERNAL_PORT: '0',
      SVC_PORT: '0',
      ...more,
    }),
    stop: async () => {
      await Promise.all([nats.stop(), ...[...databases.values()].map((database) => database.drop())])
    },
  }
}

const redisDatabases = 16

/** Empties the Redis database of this vitest worker, which runs one file at a time, and returns its address. */
export async function emptyRedisDatabase(): Promise<string> {
  const url = new URL(inject('infrastructure').redisUrl)
  url.pathname = `/${Number(process.env['VITEST_POOL_ID'] ?? 0) % redisDatabases}`
  const client = new Redis(url.href, { maxRetriesPerRequest: 1 })
  try {
    await client.flushdb()
  } finally {
    client.disconnect()
  }
  return url.href
}
