import type { Contract } from '@svc/contract'
import { gateway } from '@svc/contracts/gateway'
import { identity } from '@svc/contracts/identity'
import { subscriptions } from '@svc/contracts/subscriptions'
import {
  buildEdge,
  createDirectory,
  createLimiter,
  documentsOf,
  redisCounters,
  refusalRegistry,
  routesOf,
  switchesOf,
  type Account,
  type Directory,
} from '@svc/edge'
import { clientOf, listenForEvents, Outage, type Bus, type Kit, type Log, type Parts } from '@svc/service'
import { Redis } from 'ioredis'
import { openAccessLog } from './access-log.ts'
import { docsPages, docsRedirects } from './docs-pages.ts'
import { agentActivity } from './agent-activity.ts'
import { usageStore } from './store/usage.ts'

const FLUSH_MS = 2_000
/** How long readiness waits for identity. */
const PROBE_MS = 900
/** The hash of no key: no text has it as far as anybody knows. */
const NO_KEY = { kind: 'key', hash: '0'.repeat(64) } as const
/** Events after which something cached of an account is no longer true. */
const FORGET = ['keyRevoked', 'keyScopesChanged', 'sessionEnded', 'rolesChanged', 'tierChanged']

function forgetOnEvents(bus: Bus, directory: Directory, log: Log): void {
  for (const subject of ['evt.identity.>', 'evt.subscriptions.>']) {
    listenForEvents(bus.connection, subject, log, ({ account_id }, event) => {
      if (FORGET.includes(event) && typeof account_id === 'number') directory.forgetAccount(account_id)
    })
  }
}

/** Composes the edge from the contracts; its public port opens with `open`. */
export async function openGateway(kit: Kit<typeof gateway>, contracts: readonly Contract[]): Promise<Parts> {
  const { settings, bus, log } = kit
  const now = () => kit.clock.now().getTime()
  const redis = new Redis(settings.redisUrl, {
    enableAutoPipelining: true,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    commandTimeout: 500,
    retryStrategy: (attempt) => Math.min(attempt * 50, 500),
  })
  redis.on('error', () => {})

  const usage = usageStore(kit.pool)
  let lastReport = 0
  const limiter = createLimiter({
    counters: redisCounters(redis),
    usage,
    now,
    onOutage: (what, error) => {
      if (now() - lastReport < 5_000) return
      lastReport = now()
      log.warn({ err: error, what }, 'rate counters are down; counting in this process')
    },
  })
  // What was granted is written down as soon as Redis goes away, so that the sum to seed it from is whole.
  redis.on('close', () => void limiter.flush())

  const identityClient = clientOf(bus, 'gateway', identity)
  const subscriptionsClient = clientOf(bus, 'gateway', subscriptions)
  const directory = createDirectory({
    now,
    resolveAccounts: async (credentials) => {
      const { callers } = await identityClient.resolveCredentials(
        { credentials: [...credentials] },
        { deadline: Date.now() + 3_000 },
      )
      if (callers.length !== credentials.length)
        throw new Outage('identity', 'answered another number of callers than asked')
      return callers.map((caller): Account | null => caller)
    },
    resolveTiers: async (ids) =>
      (await subscriptionsClient.resolveTiers({ account_ids: [...ids] }, { deadline: Date.now() + 3_000 })).items,
  })
  forgetOnEvents(bus, directory, log)
  const activity = agentActivity({
    now,
    send: async (seen) =>
      void (await identityClient.noteActivity({ seen: [...seen] }, { deadline: Date.now() + 3_000 })),
    onLost: (error) => log.warn({ err: error }, 'activity of agents was not noted; their next calls are'),
  })
  const accessLog = log.isLevelEnabled('info') ? openAccessLog(settings.accessLogShare) : null
  const flusher = setInterval(() => void Promise.all([limiter.flush(), activity.flush()]), FLUSH_MS)

  const routes = routesOf(contracts)
  const refusals = refusalRegistry(contracts)
  const dailyLimits = [settings.dailyFree, settings.dailyTier1, settings.dailyTier2] as const
  const minuteLimits = {
    account: settings.accountPerMinute,
    hub_read: settings.hubReadsPerMinute,
    hub_write: settings.hubWritesPerMinute,
    hub_exit: settings.hubExitsPerMinute,
  }
  const openLimits = { perMinute: settings.openPerMinute, perDay: settings.openPerDay }
  const pages = await docsPages(refusals)
  const app = buildEdge({
    routes,
    documents: [
      ...documentsOf({
        contracts,
        routes,
        refusals,
        publicUrl: settings.publicUrl,
        version: settings.version,
        dailyLimits,
        minuteLimits,
        openLimits,
      }),
      ...pages,
    ],
    redirects: docsRedirects(pages),
    bus,
    directory,
    limiter,
    log,
    dailyLimits,
    minuteLimits,
    openLimits,
    trustedProxies: settings.trustedProxies,
    webOrigins: settings.webOrigins,
    isOn: switchesOf(routes, gateway.settings, settings),
    refusals,
    onAgentSeen: activity.note,
    ...(accessLog === null ? {} : { accessLog: accessLog.write }),
  })
  return {
    handlers: {},
    jobs: { forgetUsage: async () => ({ done: await usage.forgetBefore(Math.floor(now() / 86_400_000)) }) },
    checks: {
      redis: () => redis.status === 'ready' || redis.status === 'reconnecting',
      identity: async () => {
        // What admission asks, of a key that nobody has: without an answer no keyed call gets in.
        await identityClient.resolveCredentials({ credentials: [NO_KEY] }, { deadline: Date.now() + PROBE_MS })
        return true
      },
    },
    open: async () => void (await app.listen({ host: settings.host, port: settings.port })),
    close: async () => {
      clearInterval(flusher)
      await app.close()
      await Promise.all([limiter.close(), activity.flush()])
      accessLog?.close()
      redis.disconnect()
    },
  }
}
