import { execFile } from 'node:child_process'
import { createHash, type JsonWebKey } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { ok, type Caller, type Contract } from '@svc/contract'
import { contracts } from '@svc/contracts/all'
import { formatApiKey } from '@svc/contracts/api-key'
import { gallery } from '@svc/contracts/gallery'
import { hlRelay } from '@svc/contracts/hl-relay'
import { identity } from '@svc/contracts/identity'
import { CLOSED_POLICY } from '@svc/contracts/identity/policy'
import { subscriptions } from '@svc/contracts/subscriptions'
import { freePort } from '@svc/servers'
import { clientOf, type AnyHandler, type CallOptions } from '@svc/service'
import {
  documentSigner,
  eventually,
  inherited,
  offerIdOf,
  opened,
  refusalOf,
  startPeer,
  testProcesses,
  testStack,
} from '@svc/testing'
import { CherryCredit, CHERRY_ASSET, CHERRY_NETWORK } from '@svc/sdk/x402'
import { PaymentRequiredV2Schema } from '@x402/core/schemas'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runShell } from '../check/run-shell.ts'
import { mainOf } from '../dev/services.ts'
import { download } from '../verify-balance/download.ts'
import { verifyBalance } from '../verify-balance/verify.ts'

const START = '2026-11-21T09:00:00.000Z'
const VAULT = `opv_${'1'.repeat(20)}`
const [PAID, FREE] = [`lst_${'1'.repeat(20)}`, `lst_${'2'.repeat(20)}`]
const PRICE = 5
const SIGNALS = 12
const [SELLER, SELLERS_OWNER] = [900, 901]

/** Callers by the hash of their key. */
const keys = new Map<string, Caller>()
const signer = documentSigner('balance-root+json')
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
    resolveCredentials: async ({ credentials }: { credentials: { hash: string }[] }) =>
      ok(200, {
        callers: credentials.map(({ hash }) => {
          const { tier: _, ...known } = keys.get(hash) ?? { tier: 0 }
          return keys.has(hash) ? { ...known, expires_at: null } : null
        }),
      }),
    signBalanceRoot: async (root: object) =>
      ok(200, { jws: signer.sign({ ...root, signed_at: new Date().toISOString() }) }),
    listSigningKeys: async () => ok(200, { keys: signer.keys }),
    noteActivity: async () => ok(200, { noted: 0 }),
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

/** gallery, subscriptions and the gateway as processes over real servers, with peers for identity and the relay. */
async function openRig() {
  const stack = await testStack(contracts, ['subscriptions', 'gallery', 'gateway'])
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
const ledgers = processes('subscriptions', { HUB_BUDGET_ENFORCE: '1', SVC_BALANCE_ROOT_DRY_RUN: '1' })
let api = ''
const gateways = processes('gateway', { HUB_DOOR_ENABLED: '1' })
// Before the servers of the rig end.
afterAll(() => Promise.all([galleries.killAll(), ledgers.killAll(), gateways.killAll()]))

const as = (who: Caller, withinMs = 10_000): CallOptions => ({ caller: who, deadline: Date.now() + withinMs })
const ask = (who: Caller, input: object, withinMs?: number) =>
  on.signals.readSignals({ listing_id: PAID, ...input }, as(who, withinMs))
/** Reads a page, and pays the offer of it if it costs something. */
async function read(who: Caller, input: object, withinMs?: number) {
  try {
    return await ask(who, input, withinMs)
  } catch (error) {
    const offerId = offerIdOf(error)
    if (offerId === null) throw error
    return ask(who, { ...input, offer_id: offerId }, withinMs)
  }
}
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
  const port = await freePort()
  api = `http://127.0.0.1:${port}`
  await Promise.all([galleries.start(), ledgers.start(), gateways.start({ SVC_PORT: String(port) })])
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

/** Returns the headers of a reader's requests over HTTP. */
function withKey(who: Caller): Record<string, string> {
  const key = formatApiKey(createHash('sha256').update(String(who.account_id)).digest())
  keys.set(createHash('sha256').update(key).digest('hex'), { ...who, key_id: `key_${who.account_id}` })
  return { 'x-svc-user-key': key }
}
const pageUrl = (query: string) => `${api}/hub/gallery/${PAID}/signals?${query}`

/** A fetch that remembers what it sent, and an unmodified x402 client over it. */
function x402(client: x402Client) {
  const sent: Request[] = []
  const pay = wrapFetchWithPayment(async (input, init) => {
    sent.push(new Request(input, init).clone())
    return fetch(input, init)
  }, client)
  return { sent, pay }
}
const cherryClient = () =>
  new x402Client().register(CHERRY_NETWORK, new CherryCredit()).setSpendControls({
    allowedAssets: [{ network: CHERRY_NETWORK, asset: CHERRY_ASSET, maxAmountPerPayment: '50' }],
  })

test('an unmodified x402 client with the scheme cherry-credit pays a page once and reads it; what it paid for is free', async () => {
  const who = await reader(100)
  const headers = withKey(who)
  const { pay, sent } = x402(cherryClient())
  const answer = await pay(pageUrl('since=0&limit=4'), { headers })
  expect(answer.status).toBe(200)
  expect(await answer.json()).toMatchObject({ charged_cherry: 20, next_since: 4 })
  expect(decodePaymentResponseHeader(answer.headers.get('payment-response') ?? '')).toEqual({
    success: true,
    transaction: expect.stringMatching(/^ofr_/),
    network: CHERRY_NETWORK,
    payer: String(who.account_id),
    amount: '20',
  })
  expect(sent).toHaveLength(2)
  const again = await pay(pageUrl('since=0&limit=4'), { headers })
  expect(await again.json()).toMatchObject({ charged_cherry: 0, next_since: 4 })
  expect([sent.length, await balance(who)]).toEqual([3, 80])

  // The client declines what its user did not allow, and reads what the ledger refused.
  await expect(pay(pageUrl('since=0&limit=50&extra=1'), { headers })).resolves.toMatchObject({ status: 400 })
  const greedy = x402(new x402Client().register(CHERRY_NETWORK, new CherryCredit()).setSpendControls({}))
  await expect(greedy.pay(pageUrl('since=4&limit=1'), { headers })).rejects.toThrow('spendControls')
  expect(greedy.sent).toHaveLength(1)
  const poor = withKey(await reader(10))
  const refused = await pay(pageUrl('since=0&limit=4'), { headers: poor })
  expect([refused.status, await refused.json()]).toMatchObject([402, { code: 'insufficient_cherry', needed: 20 }])
  expect(decodePaymentResponseHeader(refused.headers.get('payment-response') ?? '')).toMatchObject({
    success: false,
    errorReason: 'insufficient_cherry',
  })
})

test('an unmodified x402 client without the scheme declines the door and a paid signal in one request each', async () => {
  const who = await reader(100)
  for (const url of [`${api}/hub/door`, pageUrl('since=0&limit=1')]) {
    const { pay, sent } = x402(new x402Client())
    await expect(pay(url, { headers: withKey(who) })).rejects.toThrow('No client registered')
    const other = x402(new x402Client().register('eip155:1', { ...new CherryCredit(), scheme: 'exact' } as never))
    await expect(other.pay(url, { headers: withKey(who) })).rejects.toThrow('No network/scheme registered')
    expect([sent.length, other.sent.length]).toEqual([1, 1])
    // The schema that the authors of x402 publish.
    const { headers } = await fetch(url, { headers: withKey(who) })
    const offer = JSON.parse(Buffer.from(headers.get('payment-required') ?? '', 'base64').toString('utf8')) as unknown
    expect(PaymentRequiredV2Schema.safeParse(offer).error?.issues, url).toBeUndefined()
  }
  expect(await balance(who)).toBe(100)
})

test('an offer is one of x402 for exactly this page; it is charged once, and every repetition of it gets the same answer', async () => {
  const who = await reader(100)
  const headers = withKey(who)
  const demanded = await fetch(pageUrl('limit=2'), { headers })
  const body = (await demanded.json()) as { offer: { extra: { offer_id: string } } }
  const { offer_id } = body.offer.extra
  const page = `GET /hub/gallery/${PAID}/signals?since=0&limit=2`
  expect([demanded.status, body]).toMatchObject([402, { code: 'payment_required', reason: 'unpaid' }])
  const required = JSON.parse(
    Buffer.from(demanded.headers.get('payment-required') ?? '', 'base64').toString('utf8'),
  ) as object
  expect(required).toMatchObject({
    x402Version: 2,
    resource: { url: expect.stringContaining(`/hub/gallery/${PAID}/signals?limit=2`) },
    accepts: [
      {
        scheme: 'cherry-credit',
        network: 'svc:ledger',
        asset: 'cherry',
        amount: '10',
        payTo: 'svc:revenue',
        maxTimeoutSeconds: 60,
        extra: { offer_id, resource_hash: createHash('sha256').update(page).digest('hex') },
      },
    ],
  })
  const paying = Array.from({ length: 5 }, () =>
    fetch(pageUrl(`limit=2&offer_id=${offer_id}`), { headers }).then((answer) => answer.text()),
  )
  const [first, ...others] = await Promise.all(paying)
  expect(JSON.parse(first ?? '')).toMatchObject({ charged_cherry: 10, next_since: 2 })
  for (const other of others) expect(other).toBe(first)
  expect(await (await fetch(pageUrl(`since=0&limit=2&offer_id=${offer_id}`), { headers })).text()).toBe(first)
  expect(await balance(who)).toBe(90)
})

test('an offer of another account, for another page or past its minute is not charged, and the answer has a new one', async () => {
  const [who, other] = [await reader(100), await reader(100)]
  const offerOf = async (input: object) =>
    offerIdOf(await ask(who, input).catch((error: unknown) => error)) ?? 'no offer'
  const offer_id = await offerOf({ limit: 2 })
  expect(await offerOf({ limit: 2 })).toBe(offer_id)
  for (const [payer, input, reason] of [
    [other, { limit: 2 }, 'offer_unknown'],
    [who, { limit: 3 }, 'offer_differs'],
    [who, { since: 1, limit: 2 }, 'offer_differs'],
  ] as const)
    expect(await refusalOf(ask(payer, { ...input, offer_id }))).toMatchObject({
      code: 'payment_required',
      reason,
      offer: { extra: { offer_id: expect.not.stringContaining(offer_id) } },
    })
  await on.listings.query(
    "UPDATE read_offer SET created_at = now() - interval '2 minutes', expires_at = now() WHERE id = $1",
    [offer_id],
  )
  expect(await refusalOf(ask(who, { limit: 2, offer_id }))).toMatchObject({ reason: 'offer_expired' })
  const headers = withKey(who)
  for (const value of ['x', Buffer.from('{}').toString('base64'), 'a'.repeat(9_000)])
    expect(
      await (await fetch(pageUrl('limit=2'), { headers: { ...headers, 'payment-signature': value } })).json(),
    ).toMatchObject({
      code: 'invalid_request',
      errors: [{ pointer: '/header/payment-signature' }],
    })
  const signature = { x402Version: 2, accepted: { scheme: 'cherry-credit' }, payload: { offer_id } }
  const twice = await fetch(pageUrl(`limit=2&offer_id=${offer_id}`), {
    headers: { ...headers, 'payment-signature': Buffer.from(JSON.stringify(signature)).toString('base64') },
  })
  expect(await twice.json()).toMatchObject({ code: 'invalid_request', errors: [{ pointer: '/offer_id' }] })
  expect((await fetch(pageUrl('limit=2'))).status).toBe(401)
  expect([await balance(who), await balance(other)]).toEqual([100, 100])
})

/** Runs the job of subscriptions that publishes the root over all balances, while no process of the service leads; returns its log. */
async function publishRoot(...words: readonly string[]): Promise<string> {
  const command = [mainOf('subscriptions'), '--job', 'publishBalanceRoot', '--once', ...words]
  const settings = on.stack.environmentOf('subscriptions', { SVC_LOG_LEVEL: 'info' })
  const env = { ...inherited(), ...settings } as NodeJS.ProcessEnv
  let log = ''
  const ran = async () => {
    log = (await promisify(execFile)(process.execPath, command, { env })).stdout
    expect(log).not.toContain('another process leads')
  }
  await eventually(ran)
  return log
}

test('readers and sellers download proofs of their balances, which hold without us, and an entry that is changed in the books is named', async () => {
  const who = await reader(60)
  await read(who, { limit: 3 })
  await ledgers.killAll()
  expect(await publishRoot('--dry-run')).toContain('dry run: this root over all balances would be published')
  expect(await publishRoot()).toContain('"done":1')
  await ledgers.start()
  const newcomer = withKey(await reader(60))
  expect((await fetch(`${api}/subscriptions/cherries/proof`, { headers: newcomer })).status).toBe(404)
  const verified = async (caller_: Caller) => {
    const { proof, history, roots, jwks } = await download(api, withKey(caller_)['x-svc-user-key'] ?? '')
    return verifyBalance({ proof, history, roots, keys: jwks['keys'] as JsonWebKey[] })
  }
  await eventually(async () => expect(await balance(who)).toBe(45))
  for (const one of [who, caller(SELLER)])
    expect(await verified(one)).toMatchObject({ accountId: one.account_id, balance: await balance(one) })
  const folder = mkdtempSync(join(tmpdir(), 'svc-balance-'))
  const command = `node tools/with-node24.mjs tools/verify-balance/main.ts ${folder} --from ${api}`
  const printed = await runShell(command, { SVC_USER_KEY: withKey(who)['x-svc-user-key'] ?? '' })
  expect(printed).toContain(`account ${who.account_id} had 45 Cherry from 3 entries`)
  rmSync(folder, { recursive: true })
  const change = (by: number) =>
    on.ledger.query(
      `UPDATE ledger_transfer SET amount = amount + $2 WHERE debit_seq = 3 AND debit_account_id =
        (SELECT id FROM ledger_account WHERE holder_id = $1 AND kind = 'user')`,
      [who.account_id, by],
    )
  await change(1)
  await expect(verified(who)).rejects.toThrow('entry 3 was changed: paid_read of -16 Cherry')
  await change(-1)
  expect(await verified(who)).toMatchObject({ balance: 45, entries: 3 })
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

test('whichever process dies at whichever step of a paid read, the repetition of its offer answers, and each signal is paid for once', async () => {
  const lost: Promise<unknown>[] = []
  for (const dying of deaths)
    for (const step of steps) {
      const who = await reader(50)
      const offer_id = offerIdOf(await ask(who, { limit: 6 }).catch((error: unknown) => error)) ?? 'no offer'
      const stalled = step === null ? null : await stall(step)
      let isAsked = false
      const isReached = async () => {
        // On a busy machine its time may end before the ledger begins with it.
        if (!isAsked)
          lost.push(
            ask(who, { limit: 6, offer_id }, 4_000)
              .catch(() => null)
              .finally(() => (isAsked = false)),
          )
        isAsked = true
        return step === null ? expect(await rows('paid_item', who)).toBeGreaterThan(0) : waiting()
      }
      await eventually(isReached, { everyMs: 2 })
      await Promise.all(dying.map((one) => one.killAll()))
      await stalled?.release()
      await Promise.all(dying.map((one) => one.start()))
      const again = () => ask(who, { limit: 6, offer_id }).catch(() => false as const)
      expect(await eventually(again)).toMatchObject({ next_since: 6, charged_cherry: 30 })
      expect(await balance(who)).toBe(20)
      expect(await rows('paid_item', who)).toBe(6)
    }
  await Promise.all(lost)
  const { rows: open } = await on.ledger.query("SELECT id FROM hold WHERE state = 'held'")
  expect(open).toEqual([])
  const { rows: checked } = await on.ledger.query('SELECT total::int, unequal::int, negative::int FROM ledger_check()')
  expect(checked).toEqual([{ total: 0, unequal: 0, negative: 0 }])
})

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
