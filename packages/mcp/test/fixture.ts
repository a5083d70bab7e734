import { hash } from 'node:crypto'
import { contract, ok, operation, refusal, refuse, type Caller, type Contract } from '@svc/contract'
import { formatApiKey } from '@svc/contracts/api-key'
import { buildEdge, createDirectory, createLimiter, redisCounters, refusalRegistry, routesOf } from '@svc/edge'
import { serveMcp, type McpOptions } from '@svc/mcp'
import { bind, openLog, startService, type AnyHandler, type Handlers } from '@svc/service'
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
  close(): Promise<void>
}

export async function openShop(dailyFree = 1_000_000, more: NonNullable<McpOptions['more']> = {}): Promise<Shop> {
  const stack = await testStack(contracts)
  const redis = new Redis(stack.environmentOf('gateway')['SVC_REDIS_URL'] ?? '')
  const handlers = {
    readPrice:
      () =>
      async ({ name, currency }) =>
        ok(200, { name, currency, cents: name.length * 100 }),
    order:
      () =>
      async ({ name, count, dry_run }) =>
        name === 'gold' ? refuse(soldOut, 'All gold is gone.') : ok(200, { ok: true as const, name, count, dry_run }),
    hold: () => async () => ok(202, { status: 'pending_approval' as const, approval_id: 'apr_1' }),
  } satisfies Handlers<null, typeof shop>
  const service = await startService(shop, contracts, stack.environmentOf('mining'), () => ({
    handlers: bind<null, AnyHandler>(handlers, null),
  }))
  const bus = await stack.nats.connect('gateway')
  const routes = routesOf(contracts)
  const seen: string[] = []
  let shown = true
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const app = buildEdge({
    routes,
    documents: [],
    bus,
    directory: createDirectory({
      resolveAccounts: async (credentials) =>
        credentials.map((one) => (one.kind === 'key' && one.hash === hash('sha256', key) ? caller : null)),
      resolveTiers: async (ids) => ids.map((account_id) => ({ account_id, tier: 0, ends_at: null })),
    }),
    limiter: createLimiter({ counters: redisCounters(redis), usage: { add: async () => {}, used: async () => 0 } }),
    log: openLog('gateway', 'silent'),
    dailyLimits: [dailyFree, 1_000_000, 1_000_000],
    minuteLimits: { account: 1_000_000, hub_read: 1_000_000, hub_write: 1_000_000, hub_exit: 1_000_000 },
    openLimits: { perMinute: 1_000_000, perDay: 1_000_000 },
    trustedProxies: [],
    webOrigin: url,
    webOrigins: ['https://pages.example'],
    isOn: () => true,
    refusals: refusalRegistry(contracts),
    onAgentSeen: (accountId, channel) => seen.push(`${accountId} ${channel}`),
    serveMore: (edge, admission) =>
      serveMcp(edge, admission, {
        routes,
        publicUrl: url,
        version: '1.0.0',
        webOrigins: ['https://pages.example'],
        isShown: () => shown,
        more,
      }),
  })
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
    close: async () => {
      await app.close()
      await Promise.all([bus.close(), service.stop()])
      redis.disconnect()
      await stack.stop()
    },
  }
}
