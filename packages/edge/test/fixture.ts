import { hash } from 'node:crypto'
import { jetstreamManager } from '@nats-io/jetstream'
import { headers as natsHeaders } from '@nats-io/nats-core'
import {
  contract,
  event,
  ok,
  operation,
  refusal,
  refuse,
  storedFile,
  type Caller,
  type Contract,
  type StoredFile,
  type Tier,
} from '@svc/contract'
import { formatApiKey } from '@svc/contracts/api-key'
import { buildEdge, createDirectory, createLimiter, redisCounters, refusalRegistry, routesOf } from '@svc/edge'
import {
  bind,
  openFiles,
  openLog,
  startService,
  type AnyHandler,
  type Bus,
  type Files,
  type Handlers,
} from '@svc/service'
import { testStack } from '@svc/testing'
import { Redis } from 'ioredis'
import { z } from 'zod'

const item = z.object({ seq: z.int(), text: z.string() })

const price = z.object({
  name: z.string(),
  change: z.number().nullable(),
  profit: z.string().optional(),
  best: z.object({ bid: z.number(), at: z.string() }).nullable(),
  flags: z.array(z.object({ flag: z.string() })),
})
/** Rows with what spreadsheets and readers of CSV stumble over. */
export const prices: readonly z.output<typeof price>[] = [
  { name: '=HYPERLINK("x")', change: -1.5, profit: '-0.25', best: { bid: 7, at: 'Busan' }, flags: [] },
  { name: '코인, "하나"', change: null, profit: '3', best: null, flags: [{ flag: 'a,b' }] },
  { name: '-lead\nand more', change: 0, profit: '1', best: { bid: 0, at: '@home' }, flags: [] },
]

const deskCookie = {
  name: 'desk',
  path: '/desk',
  member: 'desk_token',
  maxAgeSec: 600,
  sign: { name: 'at_desk', path: '/hall' },
} as const
const deskClosed = refusal('desk_closed', { status: 401, title: 'Closed', meaning: 'Closed.', fix: 'Open another.' })

export const press = contract('press', {
  title: 'News and leaflets, for the tests of the edge',
  postgres: false,
  buckets: ['leaflets'],
  operations: {
    followNews: operation({
      summary: 'Follow the news',
      auth: 'account',
      http: 'GET /news/{topic}',
      stream: { wokenBy: ['newsGrew'] },
      input: z.strictObject({
        topic: z.string(),
        since: z.union([z.literal('now'), z.coerce.number().int()]).default(0),
      }),
      success: { 200: z.object({ items: z.array(item), next_since: z.int() }) },
    }),
    readLeaflet: operation({
      summary: 'Read a leaflet',
      auth: 'account',
      http: 'GET /leaflets/{name}',
      file: 'application/pdf',
      input: z.strictObject({ name: z.string() }),
      success: { 200: z.object({ file: storedFile.optional(), text: z.string().optional() }) },
    }),
    readPapers: operation({
      summary: 'Read the news as the papers of old',
      auth: 'account',
      http: 'GET /papers/{topic}',
      deprecated: { since: '2026-11-22', sunset: '2027-11-22', successor: '/news/{topic}' },
      listAs: { type: 'application/cloudevents-batch+json', member: 'items' },
      input: z.strictObject({ topic: z.string(), since: z.coerce.number().int().default(0) }),
      success: { 200: z.object({ items: z.array(item), next_since: z.int() }) },
    }),
    readHeadlines: operation({
      summary: 'Read the headlines',
      auth: 'open',
      http: 'GET /headlines/{topic}',
      cacheSec: 60,
      sharedAnswer: true,
      deprecated: { since: '2026-11-22', sunset: '2027-11-22', successor: '/news/{topic}' },
      input: z.strictObject({ topic: z.string() }),
      success: { 200: z.object({ text: z.string() }) },
    }),
    readPrices: operation({
      summary: 'Read the prices of papers',
      auth: 'open',
      http: 'GET /prices/{topic}',
      cacheSec: 60,
      sharedAnswer: true,
      csv: { list: 'items', head: ['computed_at'] },
      input: z.strictObject({ topic: z.string(), fields: z.string().optional() }),
      success: { 200: z.object({ computed_at: z.string(), items: z.array(price) }) },
    }),
    openDesk: operation({
      summary: 'Open a desk',
      auth: 'open',
      limit: 'account',
      http: 'POST /desk',
      secret: true,
      cookie: deskCookie,
      input: z.strictObject({ name: z.string() }),
      success: { 200: z.object({ name: z.string(), desk_token: z.string() }) },
    }),
    keepDesk: operation({
      summary: 'Keep a desk',
      auth: 'open',
      http: 'POST /desk/keep',
      secret: true,
      cookie: deskCookie,
      input: z.strictObject({ desk_token: z.string() }),
      success: { 200: z.object({ shown: z.string(), desk_token: z.string() }) },
      refusals: [deskClosed],
    }),
    leaveDesk: operation({
      summary: 'Leave a desk',
      auth: 'account',
      http: 'POST /desk/leave',
      cookie: { ...deskCookie, ends: true },
      input: z.strictObject({}),
      success: { 200: z.object({ ok: z.literal(true) }) },
    }),
    readExtra: operation({
      summary: 'Read the extra of subscribers',
      auth: 'account',
      tier: 1,
      http: 'GET /extra',
      input: z.strictObject({}),
      success: { 200: z.object({ ok: z.literal(true) }) },
    }),
    readAccount: operation({
      summary: 'Read the account',
      auth: 'account',
      limit: 'account',
      http: 'GET /account',
      dailyUse: 'requests',
      input: z.strictObject({}),
      success: { 200: z.object({ ok: z.literal(true), requests: z.looseObject({}).optional() }) },
    }),
    moveNews: operation({
      summary: 'Move news',
      auth: 'account',
      limit: 'hub_write',
      exitWhen: 'only_out',
      http: 'POST /moves',
      input: z.strictObject({ only_out: z.boolean().default(false) }),
      success: { 200: z.object({ ok: z.literal(true) }) },
    }),
  },
  events: { newsGrew: event({ summary: 'There is news', payload: z.object({ topic: z.string() }) }) },
})
const archive = contract('archive', {
  title: 'Keeps files of its own',
  postgres: false,
  buckets: ['secrets'],
  operations: {},
})
const gateway = contract('gateway', { title: 'Edge', operations: {}, postgres: false })
const contracts = [press, archive, gateway] as unknown as readonly Contract[]

/** Origin of the pages in these tests. */
export const WEB_ORIGIN = 'https://pages.example'
export const secret = Buffer.from('of nobody else')
export const leaflet = Buffer.alloc(300_000, 'leaflet ')
const PAGE = 50

export interface WorldOptions {
  readonly openLimits?: { readonly perMinute: number; readonly perDay: number }
  readonly dailyFree?: number
  /** Writes and exits of an account in a minute. */
  readonly minutes?: { readonly hub_write: number; readonly hub_exit: number }
  /** Paid tier of an account; default 0. */
  readonly tierOf?: (accountId: number) => Tier
}

/** Returns the key of one of 255 accounts; keys from 200 on belong to no account. */
export const keyOf = (accountId: number): string => formatApiKey(new Uint8Array(32).fill(accountId))
const NOBODY_FROM = 200
const accountOfHash = new Map(
  Array.from({ length: NOBODY_FROM - 1 }, (_, index) => [hash('sha256', keyOf(index + 1)), index + 1]),
)

export interface World {
  readonly url: string
  /** Number of credentials that were looked up. */
  asked(): number
  readonly key: string
  /** Publishes anything on the subject that wakes the streams. */
  announce(data: string | Uint8Array): void
  /** Adds items to a topic and publishes the event, unless `quiet`. */
  publish(topic: string, count: number, quiet?: boolean): void
  revoke(): void
  /** Agents that were reported as active, one entry per call. */
  readonly seen: readonly string[]
  close(): Promise<void>
}

const caller: Caller = {
  account_id: 7,
  kind: 'agent',
  wallet: null,
  roles: [],
  scopes: ['read', 'write'],
  tier: 0,
  key_id: 'key_1',
  session_id: null,
}

/** Replaces the entry of a file in the bucket of leaflets, as a compromised service could. */
async function replaceEntry(bus: Bus, name: string, change: (entry: object) => object): Promise<void> {
  const subject = `$O.leaflets.M.${Buffer.from(name).toString('base64url')}`
  const manager = await jetstreamManager(bus.connection, { apiPrefix: bus.streamsApi, checkAPI: false })
  const message = await manager.streams.getMessage('OBJ_leaflets', { last_by_subj: subject })
  const headers = natsHeaders()
  headers.set('Nats-Rollup', 'sub')
  bus.connection.publish(subject, JSON.stringify(change(message?.json() ?? {})), { headers })
  await bus.connection.flush()
}

/** Stores a leaflet whose entry states another size than its bytes have. */
async function forgeSize(bus: Bus, leaflets: Files, bytes: number) {
  const name = bytes < leaflet.length ? 'forged-shorter' : 'forged-longer'
  const stored = await leaflets.put(name, leaflet)
  await replaceEntry(bus, name, (entry) => ({ ...entry, size: bytes }))
  return { ...stored, bytes }
}

/** Stores an entry in the bucket of leaflets that links to a file of another bucket. */
async function linkTo(bus: Bus, target: Omit<StoredFile, 'filename'>) {
  const { bucket, name } = target
  await replaceEntry(bus, 'linked', () => ({
    name: 'linked',
    bucket: 'leaflets',
    nuid: 'x',
    size: 0,
    chunks: 0,
    options: { link: { bucket, name } },
  }))
  return { ...target, bucket: 'leaflets', name: 'linked' }
}

/** Starts a service and an edge over a real NATS server. */
export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const { openLimits = { perMinute: 1_000, perDay: 1_000 }, dailyFree = 1_000_000, tierOf = () => 0, minutes } = options
  let asked = 0
  let headlines = 0
  const stack = await testStack(contracts)
  const redis = new Redis(stack.environmentOf('gateway')['SVC_REDIS_URL'] ?? '')
  const news = new Map<string, z.output<typeof item>[]>()
  let live = true
  const seen: string[] = []
  const startedAt = Date.now()
  const files = await stack.nats.connect('press')
  const leaflets = await openFiles(files, 'leaflets')
  const stored = await leaflets.put('whole', leaflet)
  const archiveBus = await stack.nats.connect('archive')
  const foreign = await (await openFiles(archiveBus, 'secrets')).put('secret', secret)
  await archiveBus.close()
  const linked = await linkTo(files, foreign)
  const forged = await Promise.all([100, leaflet.length + 100].map((bytes) => forgeSize(files, leaflets, bytes)))
  const described: Readonly<Record<string, Omit<StoredFile, 'filename'>>> = {
    whole: stored,
    lost: { ...stored, name: 'lost' },
    foreign,
    linked,
    'too-short': { ...stored, bytes: 100 },
    'other-digest': { ...stored, sha256: 'ab'.repeat(32) },
    ...Object.fromEntries(forged.map((file) => [file.name, file])),
  }
  const handlers = {
    followNews:
      () =>
      async ({ topic, since }) => {
        const known = news.get(topic) ?? []
        const cursor = since === 'now' ? (known.at(-1)?.seq ?? 0) : since
        const items = known.filter(({ seq }) => seq > cursor).slice(0, PAGE)
        return ok(200, { items, next_since: items.at(-1)?.seq ?? cursor })
      },
    readPapers:
      () =>
      async ({ topic, since }) => {
        const items = (news.get(topic) ?? []).filter(({ seq }) => seq > since).slice(0, PAGE)
        return ok(200, { items, next_since: items.at(-1)?.seq ?? since })
      },
    readLeaflet:
      () =>
      async ({ name }) => {
        if (name === 'none') return ok(200, { text: 'no leaflet' })
        return ok(200, { file: { ...(described[name] ?? stored), filename: 'leaflet.pdf' } })
      },
    readHeadlines:
      () =>
      async ({ topic }) =>
        ok(200, { text: `${topic} ${(headlines += 1)}` }),
    readPrices:
      () =>
      async ({ topic, fields }) =>
        ok(200, {
          computed_at: '2026-11-21T10:00:00.000Z',
          items:
            topic === 'none'
              ? []
              : prices.map(({ profit, ...rest }) => ({ ...rest, ...(fields === 'few' ? {} : { profit }) })),
        }),
    openDesk:
      () =>
      async ({ name }) =>
        ok(200, { name, desk_token: `of-${name}` }),
    keepDesk:
      () =>
      async ({ desk_token }) =>
        desk_token === 'of-closed' ? refuse(deskClosed) : ok(200, { shown: desk_token, desk_token: 'next' }),
    leaveDesk: () => async () => ok(200, { ok: true as const }),
    readExtra: () => async () => ok(200, { ok: true as const }),
    readAccount: () => async () => ok(200, { ok: true as const }),
    moveNews: () => async () => ok(200, { ok: true as const }),
  } satisfies Handlers<null, typeof press>
  const service = await startService(press, contracts, stack.environmentOf('press'), () => ({
    handlers: bind<null, AnyHandler>(handlers, null),
  }))
  const bus = await stack.nats.connect('gateway')
  const app = buildEdge({
    routes: routesOf(contracts),
    documents: [],
    bus,
    directory: createDirectory({
      resolveAccounts: async (credentials) => {
        asked += credentials.length
        return credentials.map((credential) => {
          const account_id = credential.kind === 'key' ? accountOfHash.get(credential.hash) : undefined
          return live && account_id !== undefined ? { ...caller, account_id } : null
        })
      },
      resolveTiers: async (ids) => ids.map((account_id) => ({ account_id, tier: tierOf(account_id), ends_at: null })),
    }),
    limiter: createLimiter({
      counters: redisCounters(redis),
      usage: { add: async () => {}, used: async () => 0 },
      // No minute and no day ends during a test, which counts what was used in one.
      now: () => startedAt,
    }),
    log: openLog('gateway', 'silent'),
    dailyLimits: [dailyFree, 1_000_000, 1_000_000],
    minuteLimits: { account: 1_000_000, hub_read: 1_000_000, hub_write: 1_000_000, hub_exit: 1_000_000, ...minutes },
    openLimits,
    trustedProxies: [],
    webOrigins: [],
    webOrigin: WEB_ORIGIN,
    isOn: () => true,
    refusals: refusalRegistry(contracts),
    onAgentSeen: (accountId, channel) => seen.push(`${accountId} ${channel}`),
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    url,
    key: keyOf(7),
    asked: () => asked,
    seen,
    publish: (topic, count, quiet = false) => {
      const known = news.get(topic) ?? []
      for (let index = 0; index < count; index += 1) {
        const seq = known.length + 1
        known.push({ seq, text: `${topic} ${seq}` })
      }
      news.set(topic, known)
      if (!quiet) files.connection.publish(press.events.newsGrew.subject, JSON.stringify({ payload: { topic } }))
    },
    announce: (data) => files.connection.publish(press.events.newsGrew.subject, data),
    revoke: () => {
      live = false
    },
    close: async () => {
      await app.close()
      await Promise.all([bus.close(), files.close(), service.stop()])
      redis.disconnect()
      await stack.stop()
    },
  }
}
