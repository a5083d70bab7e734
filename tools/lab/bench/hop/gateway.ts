import { contract, type Contract } from '@svc/contract'
import {
  buildEdge,
  createDirectory,
  createLimiter,
  redisCounters,
  refusalRegistry,
  routesOf,
  type Credential,
} from '@svc/edge'
import { clientOf, defineService, runAsProcess, type Kit } from '@svc/service'
import { mandates } from '@svc/contracts/mandates'
import { Redis } from 'ioredis'
import { bench } from './contract.ts'

const gateway = contract('gateway', { title: 'Edge of the benchmark', operations: {}, postgres: false })
const flushMs = 2_000
const NO_LIMIT = 1_000_000

/** The edge as the product composes it; only the durable sums of usage stay in memory. */
async function compose({ bus, log }: Kit, environment: Readonly<Record<string, string | undefined>>) {
  const redis = new Redis(environment['SVC_REDIS_URL'] ?? '', { enableAutoPipelining: true, commandTimeout: 500 })
  const sums = new Map<string, number>()
  const limiter = createLimiter({
    counters: redisCounters(redis),
    usage: {
      add: (rows) => {
        for (const { key, window, count } of rows)
          sums.set(`${window}:${key}`, (sums.get(`${window}:${key}`) ?? 0) + count)
        return Promise.resolve()
      },
      used: (key, window) => Promise.resolve(sums.get(`${window}:${key}`) ?? 0),
    },
  })
  const flusher = setInterval(() => void limiter.flush(), flushMs)
  const client = clientOf(bus, 'gateway', bench)
  const hashOf = (credential: Credential) => (credential.kind === 'key' ? credential.hash : '0'.repeat(64))
  const directory = createDirectory({
    resolveAccounts: async (credentials) => {
      const { account_ids } = await client.resolveKeys({ hashes: credentials.map(hashOf) })
      return account_ids.map((account_id) =>
        account_id === null
          ? null
          : {
              account_id,
              kind: 'agent',
              wallet: null,
              roles: [],
              scopes: ['read', 'write'],
              key_id: `key_${account_id}`,
              session_id: null,
            },
      )
    },
    resolveTiers: async (ids) =>
      (await client.resolveTiers({ account_ids: [...ids] })).items.map((item) => ({ ...item, ends_at: null })),
  })
  const contracts = [bench, ...(environment['BENCH_WITH'] === 'mandates' ? [mandates] : [])] as unknown as Contract[]
  const app = buildEdge({
    routes: routesOf(contracts),
    documents: [],
    bus,
    directory,
    limiter,
    log,
    dailyLimits: [100, 5_000, 50_000],
    minuteLimits: { account: NO_LIMIT, hub_read: NO_LIMIT, hub_write: NO_LIMIT, hub_exit: NO_LIMIT },
    openLimits: { perMinute: 60, perDay: 1_000 },
    trustedProxies: [],
    webOrigin: `http://127.0.0.1:${environment['BENCH_PORT'] ?? ''}`,
    webOrigins: [],
    isOn: () => true,
    refusals: refusalRegistry(contracts),
  })
  await app.listen({ host: '127.0.0.1', port: Number(environment['BENCH_PORT']) })
  return {
    handlers: {},
    close: async () => {
      clearInterval(flusher)
      await app.close()
      await limiter.close()
      redis.disconnect()
    },
  }
}

await runAsProcess(
  defineService({
    contract: gateway,
    compose: (kit, { environment }) => compose(kit as unknown as Kit, environment),
  }),
)
