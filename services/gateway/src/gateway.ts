import type { Contract } from '@svc/contract'
import { examples } from '@svc/contracts/examples'
import { chainIndexer } from '@svc/contracts/chain-indexer'
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
  type HealthProblem,
  type Limiter,
  type UsageStore,
} from '@svc/edge'
import { agentPlaces, isBehindDoor, mcpDocuments, mcpInCatalog } from '@svc/mcp'
import { clientOf, listenForEvents, Outage, redisTls, type Kit, type Parts } from '@svc/service'
import { Redis } from 'ioredis'
import { openAccessLog } from './access-log.ts'
import { docsPages, docsRedirects, llmsPage, settingsFile } from './docs-pages.ts'
import { exitPage } from './exit-page.ts'
import { builtPages } from './pages.ts'
import { chainHealth } from './chain-health.ts'
import { doorOf, shownBy } from './door.ts'
import { agentActivity } from './agent-activity.ts'
import { pageConfigDocument, pageConfigOf } from './page-config.ts'
import { usageStore } from './store/usage.ts'

const FLUSH_MS = 2_000
/** Maximum time that readiness waits for identity. */
const PROBE_MS = 900
/** How often chain-indexer is asked whether the chain is behind what was read from it. */
const CHAIN_LOOK_MS = 10_000
/** Maximum time that admission waits for identity and subscriptions. */
const ASK_MS = 3_000
/** Minimum time between log entries about outages of the counters. */
const REPORT_MS = 5_000
/** Hash that no key has. */
const NO_KEY = { kind: 'key', hash: '0'.repeat(64) } as const
/** Events that invalidate cached facts about an account. */
const FORGET = ['keyRevoked', 'keyScopesChanged', 'sessionEnded', 'rolesChanged', 'tierChanged']

type GatewayKit = Kit<typeof gateway>
const nowOf = ({ clock }: GatewayKit) => clock.now().getTime()
const soon = (ms: number) => ({ deadline: Date.now() + ms })

/** Adds the routes of the wallets of a local chain to the public server; only the development command has them. */
export type Extend = (app: ReturnType<typeof buildEdge>) => void

/** Composes the edge from the contracts; its public port opens with `open`. */
export async function openGateway(kit: GatewayKit, contracts: readonly Contract[], extend?: Extend): Promise<Parts> {
  const { settings, log } = kit
  const now = () => nowOf(kit)
  const usage = usageStore(kit.pool)
  const { redis, limiter } = openLimiter(kit, usage)
  const clients = clientsOf(kit)
  const directory = openDirectory(kit, clients)
  const activity = agentActivity({
    now,
    send: async (seen) => void (await clients.identity.noteActivity({ seen: [...seen] }, soon(ASK_MS))),
    onLost: (error) => log.warn({ err: error }, 'activity of agents was not reported; their next calls will be'),
  })
  const accessLog = log.isLevelEnabled('info') ? openAccessLog(settings.accessLogShare) : null
  const flusher = setInterval(() => void Promise.all([limiter.flush(), activity.flush()]), FLUSH_MS)
  const chain = chainHealth({ readHead: () => clients.chainIndexer.readHead({}, soon(ASK_MS)) })
  const watcher = setInterval(() => void chain.look(), CHAIN_LOOK_MS)
  const served = await servedBy(kit, contracts, { demoWallet: extend !== undefined, healthProblems: chain.problems })
  const app = buildEdge({
    ...served,
    serveMore: doorOf(kit, served),
    bus: kit.bus,
    directory,
    limiter,
    log,
    onAgentSeen: activity.note,
    ...(accessLog === null ? {} : { accessLog: accessLog.write }),
  })
  extend?.(app)
  let retiring = false
  // A client that keeps its connection would meet its end in the middle of a request.
  app.server.prependListener('request', (_request, response) => {
    if (retiring) response.shouldKeepAlive = false
  })
  return {
    handlers: {},
    jobs: { forgetUsage: async () => ({ done: await usage.forgetBefore(Math.floor(now() / 86_400_000)) }) },
    checks: {
      redis: () => redis.status === 'ready' || redis.status === 'reconnecting',
      identity: async () => {
        // Admission makes this call for every uncached key: without an answer no keyed call is admitted.
        await clients.identity.resolveCredentials({ credentials: [NO_KEY] }, soon(PROBE_MS))
        return true
      },
    },
    retire: () => {
      retiring = true
    },
    open: async () => {
      // The first answer of /health already says what is wrong.
      await chain.look()
      await app.listen({ host: settings.host, port: settings.port })
    },
    close: async () => {
      clearInterval(flusher)
      clearInterval(watcher)
      await app.close()
      await Promise.all([limiter.close(), activity.flush()])
      accessLog?.close()
      redis.disconnect()
    },
  }
}

/** Opens the counters of calls: leases from Redis, durable usage in Postgres. */
function openLimiter(kit: GatewayKit, usage: UsageStore): { readonly redis: Redis; readonly limiter: Limiter } {
  const redis = new Redis(kit.settings.redisUrl, {
    ...redisTls(kit.settings.redisUrl, kit.authority),
    enableAutoPipelining: true,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    commandTimeout: 500,
    retryStrategy: (attempt) => Math.min(attempt * 50, 500),
  })
  redis.on('error', () => {})
  kit.watch({ dependency: 'redis', look: () => redis.ping() })
  let lastReport = 0
  const limiter = createLimiter({
    counters: redisCounters(redis),
    usage,
    now: () => nowOf(kit),
    onOutage: (what, error) => {
      if (nowOf(kit) - lastReport < REPORT_MS) return
      lastReport = nowOf(kit)
      kit.log.warn({ err: error, what }, 'rate counters are down; counting in this process')
    },
  })
  // Written as soon as Redis fails, so that the sum that seeds it again is complete.
  redis.on('close', () => void limiter.flush())
  return { redis, limiter }
}

const clientsOf = ({ bus }: GatewayKit) => ({
  identity: clientOf(bus, 'gateway', identity),
  subscriptions: clientOf(bus, 'gateway', subscriptions),
  chainIndexer: clientOf(bus, 'gateway', chainIndexer),
})

/** Opens the directory of callers, which drops an account at the events that change it. */
function openDirectory(kit: GatewayKit, clients: ReturnType<typeof clientsOf>): Directory {
  const { bus, log } = kit
  const directory = createDirectory({
    now: () => nowOf(kit),
    resolveAccounts: async (credentials) => {
      const { callers } = await clients.identity.resolveCredentials({ credentials: [...credentials] }, soon(ASK_MS))
      if (callers.length !== credentials.length)
        throw new Outage('identity', 'returned another number of callers than asked for')
      return callers.map((caller): Account | null => caller)
    },
    resolveTiers: async (ids) =>
      (await clients.subscriptions.resolveTiers({ account_ids: [...ids] }, soon(ASK_MS))).items,
  })
  for (const subject of ['evt.identity.>', 'evt.subscriptions.>'])
    listenForEvents(bus.connection, subject, log, ({ account_id }, event) => {
      if (FORGET.includes(event) && typeof account_id === 'number') directory.forgetAccount(account_id)
    })
  return directory
}

/** Returns the edge options from the contracts and settings: routes, documents and limits. */
async function servedBy(
  { settings, log }: GatewayKit,
  contracts: readonly Contract[],
  {
    demoWallet,
    healthProblems,
  }: { readonly demoWallet: boolean; readonly healthProblems: () => readonly HealthProblem[] },
) {
  const routes = routesOf(contracts)
  const refusals = refusalRegistry(contracts)
  const limits = {
    dailyLimits: [settings.dailyFree, settings.dailyTier1, settings.dailyTier2] as const,
    minuteLimits: {
      account: settings.accountPerMinute,
      hub_read: settings.hubReadsPerMinute,
      hub_write: settings.hubWritesPerMinute,
      hub_exit: settings.hubExitsPerMinute,
    },
    openLimits: {
      perMinute: settings.openPerMinute,
      perDay: settings.openPerDay,
      pagesPerMinute: settings.pagesPerMinute,
    },
  }
  const { publicUrl, version, trustedProxies, webOrigins } = settings
  const isShown = shownBy(settings)
  const described = documentsOf({
    contracts,
    routes,
    places: agentPlaces,
    refusals,
    publicUrl,
    version,
    examples,
    ...limits,
    walletLinks: settings.walletLinks ?? [],
    isToolOn: (route) => isShown({ route, behindDoor: isBehindDoor(route) }),
    healthProblems,
    more: [mcpInCatalog({ publicUrl })],
  })
  const docs = await docsPages({ contracts, routes, refusals, examples, publicUrl })
  const pages = await builtPages(() => log.warn({}, 'the human pages are not built; every page says so'))
  const config = pageConfigOf(settings, demoWallet)
  return {
    ...limits,
    config,
    routes,
    refusals,
    documents: [
      ...described,
      ...mcpDocuments({ publicUrl, version }),
      llmsPage(described),
      await settingsFile(),
      ...docs,
      ...pages.documents,
      await exitPage(),
      pageConfigDocument(config),
    ],
    missingPage: { under: '/ui/', page: pages.missing },
    redirects: new Map([...docsRedirects(docs), ...pages.redirects]),
    trustedProxies,
    webOrigins,
    webOrigin: new URL(publicUrl).origin,
    isOn: switchesOf(routes, gateway.settings, settings),
  }
}
