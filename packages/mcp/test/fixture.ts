import { hash } from 'node:crypto'
import { contract, ok, operation, refusal, refuse, type Caller, type Contract } from '@svc/contract'
import { formatApiKey } from '@svc/contracts/api-key'
import { buildEdge, createDirectory, createLimiter, redisCounters, refusalRegistry, routesOf } from '@svc/edge'
import { serveMcp, type McpOptions } from '@svc/mcp'
import { bind, callerOf, openLog, startService, type AnyHandler, type Handlers } from '@svc/service'
import { freePort } from '@svc/servers'
import { testStack } from '@svc/testing'
import { Redis } from 'ioredis'
import { z } from 'zod'

const soldOut = refusal('sold_out', {
  status: 409,
  title: 'Sold out',
  meaning: 'Nobody has one left.',
  fix: 'Choose another.',
})

const stale = refusal('stale', { status: 409, title: 'Stale', meaning: 'It is stale.', fix: 'Bake another.' })
const gone = refusal('unknown_cake', {
  status: 404,
  title: 'Unknown cake',
  meaning: 'You have no such cake.',
  fix: 'Bake one.',
})
const cake = z.object({ cake_id: z.string(), state: z.string(), created_at: z.string() })
const namedCake = z.strictObject({
  cake_id: z
    .string()
    .regex(/^cake_/)
    .max(20),
})
const BAKED_AT = '2026-11-23T08:00:00.000Z'

/** A small service with each kind of tool. */
export const shop = contract('mining', {
  title: 'A shop, for the tests of tools',
  postgres: false,
  operations: {
    readPrice: operation({
      summary: 'Read a price',
      auth: 'open',
      http: 'GET /prices/{name}',
      tool: 'shop_price',
      resource: true,
      input: z.strictObject({ name: z.string().max(20), currency: z.string().max(3).default('usd') }),
      success: { 200: z.object({ name: z.string(), currency: z.string(), cents: z.int() }) },
    }),
    order: operation({
      summary: 'Order a thing',
      auth: 'agent',
      http: 'POST /orders/{name}',
      tool: 'shop_order',
      effect: 'money',
      input: z.strictObject({ name: z.string().max(20), count: z.int().min(1), dry_run: z.boolean().default(false) }),
      success: {
        200: z.object({ ok: z.literal(true), name: z.string(), count: z.int(), dry_run: z.boolean() }),
      },
      refusals: [soldOut],
    }),
    bake: operation({
      summary: 'Bake a cake',
      auth: 'agent',
      http: 'POST /cakes/{cake_id}',
      tool: 'shop_bake',
      task: { readBy: 'readCake', id: 'cake_id', keptMs: 60_000 },
      input: namedCake,
      success: { 200: cake, 202: cake },
    }),
    readCake: operation({
      summary: 'Read a cake',
      auth: 'agent',
      http: 'GET /cakes/{cake_id}',
      input: namedCake,
      success: { 200: cake, 202: cake },
      refusals: [gone, stale],
    }),
    readMe: operation({
      summary: 'Read who you are',
      auth: 'agent',
      limit: 'hub_read',
      http: 'GET /me',
      tool: 'hub_me',
      input: z.strictObject({}),
      success: { 200: z.object({ account_id: z.int() }) },
    }),
    trade: operation({
      summary: 'Trade a thing',
      auth: 'agent',
      scope: 'tx',
      http: 'POST /trades',
      tool: 'shop_trade',
      input: z.strictObject({}),
      success: { 200: z.object({ ok: z.literal(true) }) },
    }),
    readRare: operation({
      summary: 'Read the price of a rare thing',
      auth: 'agent',
      tier: 2,
      http: 'GET /rare',
      tool: 'shop_rare',
      input: z.strictObject({}),
      success: { 200: z.object({ cents: z.int() }) },
    }),
    hold: operation({
      summary: 'Do a thing that the owner decides about',
      auth: 'agent',
      http: 'POST /holds/{public_id}',
      tool: 'shop_hold',
      input: z.strictObject({ public_id: z.string().max(20) }),
      success: { 202: z.object({ status: z.literal('pending_approval'), approval_id: z.string() }) },
    }),
  },
})
const gateway = contract('gateway', { title: 'Edge', operations: {}, postgres: false })
const contracts = [shop, gateway] as unknown as readonly Contract[]

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
export const key = formatApiKey(new Uint8Array(32).fill(7))
/** Key of an account that may call `POOR_CALLS` times a day. */
export const poorKey = formatApiKey(new Uint8Array(32).fill(8))
export const POOR_CALLS = 2
const poor: Caller = { ...caller, account_id: 8, tier: 1, key_id: 'key_2' }
const callers = new Map([
  [hash('sha256', key), caller],
  [hash('sha256', poorKey), poor],
])

/** An edge with the tools of the shop. */
export interface Shop {
  readonly url: string
  /** Calls of agents that were noted. */
  readonly seen: readonly string[]
  /** Hides or shows the tools. */
  show(on: boolean): void
  /** Posts a message with headers within this process; returns the status of the answer and its length. */
  injectMessage(
    headers: Record<string, string>,
    body: string,
  ): Promise<{ readonly status: number; readonly bytes: number }>
  /** Ends the server, and starts another one at the same address. `meanwhile` runs while nobody answers. */
  restart(meanwhile: () => Promise<void>): Promise<void>
  close(): Promise<void>
}

export async function openShop(dailyFree = 1_000_000, more: NonNullable<McpOptions['more']> = {}): Promise<Shop> {
  const stack = await testStack(contracts)
  const redis = new Redis(stack.environmentOf('gateway')['SVC_REDIS_URL'] ?? '')
  const startedAt = Date.now()
  const looked = new Map<string, number>()
  const handlers = {
    readPrice:
      () =>
      async ({ name, currency }) =>
        ok(200, { name, currency, cents: name.length * 100 }),
    order:
      () =>
      async ({ name, count, dry_run }) =>
        name === 'gold' ? refuse(soldOut, 'All gold is gone.') : ok(200, { ok: true as const, name, count, dry_run }),
    bake:
      () =>
      async ({ cake_id }) => {
        const made = { cake_id, created_at: BAKED_AT }
        return cake_id === 'cake_cold' ? ok(200, { ...made, state: 'ready' }) : ok(202, { ...made, state: 'baking' })
      },
    readCake:
      () =>
      async ({ cake_id }) => {
        if (cake_id === 'cake_stale') return refuse(stale)
        const looks = (looked.get(cake_id) ?? 0) + 1
        looked.set(cake_id, looks)
        const made = { cake_id, created_at: BAKED_AT }
        if (cake_id.startsWith('cake_of_others')) return refuse(gone)
        return looks > 1 ? ok(200, { ...made, state: 'ready' }) : ok(202, { ...made, state: 'baking' })
      },
    readMe: () => async (_input, call) => ok(200, { account_id: callerOf(call).account_id }),
    trade: () => async () => ok(200, { ok: true as const }),
    readRare: () => async () => ok(200, { cents: 1 }),
    hold: () => async () => ok(202, { status: 'pending_approval' as const, approval_id: 'apr_1' }),
  } satisfies Handlers<null, typeof shop>
  const service = await startService(shop, contracts, stack.environmentOf('mining'), () => ({
    handlers: bind<null, AnyHandler>(handlers, null),
  }))
  const bus = await stack.nats.connect('gateway')
  const routes = routesOf(contracts)
  const refusals = refusalRegistry(contracts)
  const seen: string[] = []
  let shown = true
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const build = () =>
    buildEdge({
      routes,
      documents: [],
      bus,
      directory: createDirectory({
        resolveAccounts: async (credentials) =>
          credentials.map((one) => (one.kind === 'key' ? (callers.get(one.hash) ?? null) : null)),
        resolveTiers: async (ids) =>
          ids.map((account_id) => ({ account_id, tier: account_id === poor.account_id ? 1 : 0, ends_at: null })),
      }),
      limiter: createLimiter({
        counters: redisCounters(redis),
        usage: { add: async () => {}, used: async () => 0 },
        // No minute and no day ends during a test, which counts what was used in one.
        now: () => startedAt,
      }),
      log: openLog('gateway', 'silent'),
      dailyLimits: [dailyFree, POOR_CALLS, 1_000_000],
      minuteLimits: { account: 1_000_000, hub_read: 1_000_000, hub_write: 1_000_000, hub_exit: 1_000_000 },
      openLimits: { perMinute: 1_000_000, perDay: 1_000_000 },
      trustedProxies: ['127.0.0.1'],
      webOrigin: url,
      webOrigins: ['https://pages.example'],
      isOn: () => true,
      refusals,
      onAgentSeen: (accountId, channel) => seen.push(`${accountId} ${channel}`),
      serveMore: (edge, admission) =>
        serveMcp(edge, admission, {
          routes,
          refusals,
          publicUrl: url,
          version: '1.0.0',
          webOrigins: ['https://pages.example'],
          isShown: () => shown,
          more,
        }),
    })
  let app = build()
  await app.listen({ host: '127.0.0.1', port })
  return {
    url,
    seen,
    injectMessage: async (headers, payload) => {
      const given = { host: `127.0.0.1:${port}`, ...headers }
      const { statusCode, rawPayload } = await app.inject({
        method: 'POST',
        url: '/mcp?profile=full',
        headers: given,
        payload,
      })
      return { status: statusCode, bytes: rawPayload.length }
    },
    show: (on) => {
      shown = on
    },
    restart: async (meanwhile) => {
      await app.close()
      try {
        await meanwhile()
      } finally {
        app = build()
        await app.listen({ host: '127.0.0.1', port })
      }
    },
    close: async () => {
      await app.close()
      await Promise.all([bus.close(), service.stop()])
      redis.disconnect()
      await stack.stop()
    },
  }
}
