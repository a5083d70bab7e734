import type { Contract, Environment } from '@svc/contract'
import { Redis } from 'ioredis'
import { inject } from 'vitest'
import { disposableDatabase, type DisposableDatabase } from './database.ts'
import { disposableNats, type DisposableNats } from './nats.ts'

/** The servers for the services of one test file. */
export interface TestStack {
  readonly nats: DisposableNats
  readonly redisUrl: string
  /** Creates the databases of further services; of those that exist it creates none again. */
  addDatabases(...services: readonly string[]): Promise<void>
  databaseOf(service: string): DisposableDatabase
  /** Returns the settings for `start(environment)` of a service; `more` takes precedence. */
  environmentOf(service: string, more?: Environment): Environment
  stop(): Promise<void>
}

/**
 * Starts a NATS with the permissions and streams of the contracts, creates a migrated database for each service of `own`
 * (default: each that declares Postgres), and empties a Redis database, all for one test file. A database takes a fifth of a
 * second of a core, so a rig names the services that it really starts. `opened(() => testStack([…]))` stops it with the file.
 */
export async function testStack(
  contracts: readonly Contract[],
  own: readonly string[] = contracts.filter(({ postgres }) => postgres).map(({ name }) => name),
): Promise<TestStack> {
  const databases = new Map<string, DisposableDatabase>()
  const addDatabases = async (...services: readonly string[]) => {
    const added = services.filter((name) => !databases.has(name))
    const created = await Promise.all(
      added.map((name) => {
        const contract = contracts.find((one) => one.name === name)
        if (contract?.postgres !== true) throw new Error(`${name} declares no Postgres schema`)
        return disposableDatabase(name, contract.roleOf)
      }),
    )
    for (const [at, database] of created.entries()) databases.set(added[at] ?? '', database)
  }
  const [nats] = await Promise.all([disposableNats(contracts), addDatabases(...own)])
  const redisUrl = await emptyRedisDatabase()
  const databaseOf = (service: string) => {
    const database = databases.get(service)
    if (database === undefined) throw new Error(`${service} has no database yet: name it, or call addDatabases`)
    return database
  }
  return {
    nats,
    redisUrl,
    addDatabases,
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
