import { pathToFileURL } from 'node:url'
import { ok, type Caller, type Contract } from '@svc/contract'
import { contracts } from '@svc/contracts/all'
import { gallery } from '@svc/contracts/gallery'
import { hlRelay } from '@svc/contracts/hl-relay'
import { identity } from '@svc/contracts/identity'
import { CLOSED_POLICY } from '@svc/contracts/identity/policy'
import { subscriptions } from '@svc/contracts/subscriptions'
import { clientOf, type AnyHandler, type CallOptions } from '@svc/service'
import { eventually, opened, refusalOf, startPeer, testProcesses, testStack } from '@svc/testing'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mainOf } from '../dev/services.ts'

const START = '2026-11-21T09:00:00.000Z'
const VAULT = `opv_${'1'.repeat(20)}`
const [PAID, FREE] = [`lst_${'1'.repeat(20)}`, `lst_${'2'.repeat(20)}`]
const PRICE = 5
const SIGNALS = 12
const [SELLER, SELLERS_OWNER] = [900, 901]

const budgets = new Map<number, number>()
const agentView = (agent_id: number) => ({
  agent_id,
  name: 'Reader',
  wallet: `0x${'0'.repeat(40)}`,
  owner: null,
  policy: { ...CLOSED_POLICY, daily_cherry_budget: budgets.get(agent_id) ?? null },
  access_ends_at: null,
  last_seen_at: null,
  channel: null,
})
const answers: Record<string, Record<string, AnyHandler>> = {
  identity: {
    readAgents: async ({ agent_ids }: { agent_ids: number[] }) =>
      ok(200, { agents: agent_ids.map((id) => (id === SELLERS_OWNER ? null : agentView(id))) }),
    relatedAccounts: async ({ account_id }: { account_id: number }) =>
      ok(200, { account_ids: account_id === SELLER ? [SELLER, SELLERS_OWNER] : [account_id] }),
    getAccounts: async ({ account_ids }: { account_ids: number[] }) =>
      ok(200, {
        accounts: account_ids.map((account_id) => ({
          account_id,
          kind: 'agent',
          wallet: `0x${'0'.repeat(40)}`,
          name: null,
          created_at: START,
        })),
      }),
  },
  'hl-relay': {
    readVenueMarkets: async () => ok(200, { items: [{ ...market, read_at: new Date().toISOString() }] }),
  },
}
const market = {
  market_id: 'hl:BTC',
  coin: 'BTC',
  dex: '',
  asset: 0,
  title: 'BTC',
  size_decimals: 5,
  max_leverage: 40,
  listed: true,
  only_isolated: false,
  mark_price: '60000',
  oracle_price: '60000',
  mid_price: '60000',
  prev_day_price: '60000',
  funding_hourly: '0',
  volume_24h_usd: '0',
  open_interest_usd: '0',
}

let lastId = 1_000
const caller = (account_id: number, more: Partial<Caller> = {}): Caller => ({
  account_id,
  kind: 'agent',
  wallet: `0x${'0'.repeat(40)}`,
  roles: [],
  scopes: ['read', 'write'],
  tier: 0,
  key_id: null,
  session_id: null,
  ...more,
})

/** gallery and subscriptions as processes over real servers, with peers for identity and the relay. */
async function openRig() {
  const stack = await testStack(contracts, ['subscriptions', 'gallery'])
  const peers = await Promise.all(
    [identity, hlRelay].map((contract) => startPeer(stack, contract, { answers: answers[contract.name] ?? {} })),
  )
  const [bus, miningBus] = [await stack.nats.connect('gateway'), await stack.nats.connect('mining')]
  const connect = async (service: string) => {
    const client = new pg.Client(stack.databaseOf(service).superuserUrl)
    await client.connect()
    await client.query(`SET search_path TO ${service}`)
    return client
  }
  const [ledger, listings] = [await connect('subscriptions'), await connect('gallery')]
  return {
    stack,
    ledger,
    listings,
    signals: clientOf(bus, 'gateway', gallery as unknown as Contract as typeof gallery),
    prices: clientOf(miningBus, 'mining', gallery as unknown as Contract as typeof gallery),
    cherry: clientOf(bus, 'gateway', subscriptions as unknown as Contract as typeof subscriptions),
    stop: async () => {
      await Promise.all([bus.close(), miningBus.close()])
      for (const peer of peers) await peer.stop()
      for (const client of [ledger, listings]) await client.end()
      await stack.stop()
    },
  }
}
const on = opened(openRig)
const processes = (service: string, more: object = {}) =>
  testProcesses(pathToFileURL(mainOf(service)), () => ({ ...on.stack.environmentOf(service), ...more }))
const galleries = processes('gallery', {
  SVC_OPVAULT_SIGNAL_PUBLISH_ENABLED: '1',
  SVC_OPVAULT_SIGNAL_PUBLISH_RATE_PER_HOUR: '1000',
})
const ledgers = processes('subscriptions', { HUB_BUDGET_ENFORCE: '1' })
// Before the servers of the rig end.
afterAll(() => Promise.all([galleries.killAll(), ledgers.killAll()]))

const as = (who: Caller, withinMs = 10_000): CallOptions => ({ caller: who, deadline: Date.now() + withinMs })
const read = (who: Caller, input: object, withinMs?: number) =>
  on.signals.readSignals({ listing_id: PAID, ...input }, as(who, withinMs))
const balance = async (who: Caller) => (await on.cherry.readBalance({}, as(who))).balance

/** An agent with this much Cherry, whose welcome credit is part of it. */
async function reader(cherry: number): Promise<Caller> {
  const who = caller((lastId += 1))
  const admin = caller(1, { kind: 'owner', roles: ['admin'] })
  if (cherry > 10)
    await on.cherry.adjustCherry({ user_id: who.account_id, amount: cherry - 10, reason: 'test' }, as(admin))
  return who
}

beforeAll(async () => {
  await Promise.all([galleries.start(), ledgers.start()])
  await on.listings.query(`
    INSERT INTO operator (id, agent_id, kind, title, house, vault_id, source, created_at)
      VALUES ('opr_${'1'.repeat(20)}', ${SELLER}, 'signal', 'Trend', false, '${VAULT}', 'admin', now());
    INSERT INTO listing (id, type, seller_agent_id, title, summary, price_model, price_cherry, vault_id, body, published_at)
      SELECT id, 'signal_subscription', ${SELLER}, 'Trend', 'Trend', model, price, '${VAULT}',
        '{"editable_params": [], "template": null, "cited": []}', now()
      FROM (VALUES ('${PAID}', 'paid_read', ${PRICE}), ('${FREE}', 'free', NULL)) AS made (id, model, price);
    INSERT INTO listing_status (listing_id, seq, status, reason, at) SELECT id, 1, 'live', 'published', now() FROM listing`)
  for (let n = 0; n < SIGNALS; n += 1)
    await on.signals.publishSignal(
      { vault_id: VAULT, client_id: `s-${n}`, market: 'hl:BTC', side: 'long', weight_bps: 100 + n },
      as(caller(SELLER)),
    )
})

test('a reader pays once for each signal, reads it again for free, and the seller gets four fifths beyond the welcome credit', async () => {
  const who = await reader(100)
  expect((await on.prices.listPaidReads({})).items).toEqual([{ listing_id: PAID, title: 'Trend', price_cherry: PRICE }])
  expect(await read(who, { limit: 4, dry_run: '1' })).toMatchObject({ charged_cherry: 20, items: [], next_since: 0 })
  const page = await read(who, { limit: 4 })
  expect(page).toMatchObject({ price_cherry: PRICE, charged_cherry: 20, next_since: 4, newest_seq: SIGNALS })
  expect(page.items.map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
  expect(await read(who, { limit: 4 })).toEqual({ ...page, charged_cherry: 0 })
  expect(await read(who, { since: 3, limit: 2 })).toMatchObject({ charged_cherry: 5, next_since: 5 })
  expect([await balance(who), await balance(caller(SELLER))]).toEqual([75, 10 + 8 + 4])
  for (const free of [caller(SELLER), caller(SELLERS_OWNER, { kind: 'owner' })])
    expect(await read(free, { limit: 100 })).toMatchObject({ charged_cherry: 0, next_since: SIGNALS })
  expect(await on.signals.readSignals({ listing_id: FREE, limit: 100 }, as(await reader(0)))).toMatchObject({
    price_cherry: null,
    charged_cherry: 0,
    next_since: SIGNALS,
  })
})

test('who lacks the Cherry, the budget or the scope is told what it takes, and reads and pays nothing', async () => {
  const poor = await reader(10)
  expect(await refusalOf(read(poor, { limit: 3 }))).toMatchObject({
    status: 402,
    code: 'insufficient_cherry',
    balance: 10,
    needed: 15,
  })
  const frugal = await reader(100)
  budgets.set(frugal.account_id, 12)
  expect(await refusalOf(read(frugal, { limit: 3 }))).toMatchObject({
    status: 403,
    code: 'mandate_budget_exceeded',
    refusal: { limit: '12', attempted: '15', remaining: '12', unit: 'cherry' },
  })
  expect(await read(frugal, { limit: 2 })).toMatchObject({ charged_cherry: 10 })
  const looking = { ...frugal, scopes: ['read'] as const }
  expect(await read(looking, { limit: 2 })).toMatchObject({ charged_cherry: 0, next_since: 2 })
  budgets.delete(frugal.account_id)
  expect(await refusalOf(read(looking, { limit: 3 }))).toMatchObject({
    status: 403,
    code: 'missing_scope',
    required_scope: 'write',
  })
  expect(await refusalOf(on.signals.readSignals({ listing_id: `lst_${'9'.repeat(20)}` }, as(poor)))).toMatchObject({
    code: 'unknown_listing',
  })
  expect([await balance(poor), await balance(frugal)]).toEqual([10, 90])
})

/** Keeps rows from being added to a table of a service until `release`. */
async function stall(table: string, service = 'subscriptions') {
  const blocker = new pg.Client(on.stack.databaseOf(service).superuserUrl)
  await blocker.connect()
  await blocker.query(`BEGIN; LOCK TABLE ${service}.${table} IN SHARE MODE`)
  return { release: () => blocker.end() }
}
const waiting = async (client = on.ledger) =>
  expect(
    (
      await client.query(
        "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      )
    ).rowCount,
  ).toBeGreaterThan(0)
const rows = async (table: 'hold' | 'paid_item', who: Caller) =>
  (await on.ledger.query(`SELECT 1 FROM ${table} WHERE account_id = $1`, [who.account_id])).rowCount ?? 0

const long = process.env['TEST_LONG'] === '1'
/** A step at which processes die: the table to which the ledger cannot add, or null for the moment after the commit. */
const steps = long ? (['hold', 'paid_item', null] as const) : (['paid_item', null] as const)
const deaths: readonly (readonly (typeof galleries)[])[] = long
  ? [[galleries, ledgers], [galleries], [ledgers]]
  : [[galleries, ledgers]]

test('whichever process dies at whichever step of a paid read, its repetition answers, and each signal is paid for once', async () => {
  const lost: Promise<unknown>[] = []
  for (const dying of deaths)
    for (const step of steps) {
      const who = await reader(50)
      const stalled = step === null ? null : await stall(step)
      lost.push(read(who, { limit: 6 }, 4_000).catch(() => null))
      const isReached = async () =>
        step === null ? expect(await rows('paid_item', who)).toBeGreaterThan(0) : waiting()
      await eventually(isReached, { everyMs: 2 })
      await Promise.all(dying.map((one) => one.killAll()))
      await stalled?.release()
      await Promise.all(dying.map((one) => one.start()))
      const again = () => read(who, { limit: 6 }).catch(() => false as const)
      expect(await eventually(again, { timeoutMs: 15_000 })).toMatchObject({ next_since: 6 })
      expect(await balance(who)).toBe(20)
      expect(await rows('paid_item', who)).toBe(6)
    }
  await Promise.all(lost)
  const { rows: open } = await on.ledger.query("SELECT id FROM hold WHERE state = 'held'")
  expect(open).toEqual([])
  const { rows: checked } = await on.ledger.query('SELECT total::int, unequal::int, negative::int FROM ledger_check()')
  expect(checked).toEqual([{ total: 0, unequal: 0, negative: 0 }])
}, 120_000)

test('a process that dies while it stores a signal leaves no gap, and the repetition publishes the signal once', async () => {
  const stalled = await stall('signal', 'gallery')
  const published = { vault_id: VAULT, client_id: 'last', market: 'hl:BTC', side: 'flat', weight_bps: 0 } as const
  on.signals.publishSignal(published, as(caller(SELLER))).catch(() => null)
  await eventually(() => waiting(on.listings), { everyMs: 2 })
  await galleries.killAll()
  await stalled.release()
  await galleries.start()
  const publish = () => on.signals.publishSignal(published, as(caller(SELLER))).catch(() => false as const)
  expect(await eventually(publish)).toMatchObject({ seq: SIGNALS + 1 })
  const { rows: numbers } = await on.listings.query('SELECT seq FROM signal ORDER BY seq')
  expect(numbers.map(({ seq }: { seq: number }) => seq)).toEqual(Array.from({ length: SIGNALS + 1 }, (_, n) => n + 1))
})
