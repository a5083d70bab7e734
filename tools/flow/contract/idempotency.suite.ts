import { randomUUID } from 'node:crypto'
import { contracts } from '@svc/contracts/all'
import { routesOf, type Route } from '@svc/edge'
import { beforeAll, describe, expect, test } from 'vitest'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { ask } from '../client.ts'
import { registerAgent, signIn, signed, type Agent } from '../people.ts'
import { strangerAddress } from './callers.ts'
import type { RawAnswer } from './http.ts'
import type { World } from './world.ts'

interface Example {
  readonly path?: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
  /** Another valid body; null if the route has no account that the key could belong to. */
  readonly other: Readonly<Record<string, unknown>> | null
}

let world: World
let agent: Agent
let admin: string
let reviewer: string
let owner: string

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const keyed = () => ({ 'x-svc-user-key': agent.key })
const entry = (field_name: string, field_value: string) => ({
  field_name,
  field_value,
  evidence_url: 'https://example.com/',
})
const submission = (symbol: string) => ({
  exchange: 'binance',
  symbol,
  entries: [entry('website', 'https://example.com/')],
})
/** A field accepts one submission at a time, so each review needs another pair. */
const reviewed = ['XRP', 'ADA', 'DOGE']
const target = (symbol: string) => ({ exchange: 'binance', symbol })
const intent = { market: 'hl:BTC', side: 'buy', amount_usdc: '25' }
const newWallet = () => privateKeyToAccount(generatePrivateKey())
/** Signs a new owner in who has a paper book. */
async function paperTrader(): Promise<string> {
  const { token } = await signIn(world.url, newWallet())
  await ask(world.url, '/hub/own/paper/books', { token, body: { name: 'Paper', start_usdc: '1000' } })
  return token
}
const pairCode = async (token: string): Promise<string> =>
  (await ask(world.url, '/hub/agents/pair-code', { token, body: {} })).body.code

const webhook = { url: 'https://example.com/hook', feed_keys: ['crisis_alerts'] }
/** Registers an agent that is subscribed to a feed; returns its key. */
async function feedReader(): Promise<string> {
  const { key } = await registerAgent(world.url)
  await ask(world.url, '/feeds/subscribe', { key, body: { feed_key: 'crisis_alerts' } })
  return key
}

/** Registers an agent that may publish: an operator whose owner lets its key transact. */
async function publisher(): Promise<{ key: string; vaultId: string }> {
  const { id, key } = await registerAgent(world.url)
  const { token } = await signIn(world.url, newWallet())
  await ask(world.url, '/hub/agents/pair', { key, body: { code: await pairCode(token) } })
  const { items } = (await ask(world.url, '/auth/agent/keys', { key })).body
  const path = `/hub/agents/${id}/keys/${items[0].key_id}/scopes`
  await ask(world.url, path, { token, body: { scopes: ['read', 'write', 'tx'] } })
  const operator = { agent_id: id, kind: 'signal', title: 'Publisher' }
  const added = await ask(world.url, '/admin/operators', { token: admin, body: operator })
  return { key, vaultId: added.body.operator.vault_id }
}

/** A valid request for each idempotent operation. */
const examples: Readonly<Record<string, () => Example | Promise<Example>>> = {
  registerAgent: async () => ({
    headers: {},
    body: { ...(await signed(world.url, newWallet(), 'register')), agent_name: 'again' },
    other: null,
  }),
  openSession: async () => ({ headers: {}, body: await signed(world.url, newWallet(), 'session'), other: null }),
  createKey: () => ({ headers: keyed(), body: { name: 'first' }, other: { name: 'second' } }),
  createPairCode: async () => ({
    headers: bearer((await signIn(world.url, newWallet())).token),
    body: {},
    other: null,
  }),
  pairAgent: async () => ({
    headers: keyed(),
    body: { code: await pairCode(owner) },
    other: { code: '0000-0000' },
  }),
  setKeyScopes: async () => {
    await ask(world.url, '/hub/agents/pair', { key: agent.key, body: { code: await pairCode(owner) } })
    const { keys } = (await ask(world.url, `/hub/agents/${agent.id}`, { token: owner })).body
    const used = keys.find((key: { name: string }) => key.name === 'first key')
    return {
      path: `/hub/agents/${agent.id}/keys/${used.key_id}/scopes`,
      headers: bearer(owner),
      body: { scopes: ['read', 'write', 'tx'] },
      other: { scopes: ['read', 'write'] },
    }
  },
  draftFromNote: () => ({ headers: {}, body: { note: '500 USDC for 2 weeks' }, other: null }),
  submitMetadata: () => ({ headers: keyed(), body: submission('ETH/USDT'), other: submission('SOL/USDT') }),
  reviewSubmission: async () => {
    const made = await ask(world.url, '/agent/mining/submit', {
      key: agent.key,
      body: submission(`${reviewed.pop()}/USDT`),
    })
    return {
      path: `/admin/mining/submissions/${made.body.submission_ids[0]}/review`,
      headers: bearer(reviewer),
      body: { decision: 'approve' },
      other: { decision: 'reject', reason: 'no' },
    }
  },
  setPrices: () => ({ headers: bearer(admin), body: { payout_point_price: 6 }, other: { payout_point_price: 7 } }),
  subscribe: () => ({ headers: keyed(), body: { tier: 1, months: 1 }, other: { tier: 1, months: 2 } }),
  subscribeFeed: () => ({
    headers: keyed(),
    body: { feed_key: 'crisis_alerts' },
    other: { feed_key: 'priority_pool' },
  }),
  createWebhook: async () => ({
    headers: { 'x-svc-user-key': await feedReader() },
    body: webhook,
    other: { ...webhook, severity_min: 2 },
  }),
  rotateWebhookSecret: async () => {
    const key = await feedReader()
    const { webhook_id } = (await ask(world.url, '/feeds/webhooks', { key, body: webhook })).body
    return { path: `/feeds/webhooks/${webhook_id}/rotate`, headers: { 'x-svc-user-key': key }, body: {}, other: null }
  },
  addTarget: () => ({ headers: keyed(), body: target('BTC/USDT'), other: target('ETH/USDT') }),
  removeTarget: () => ({ headers: keyed(), body: target('BTC/USDT'), other: target('ETH/USDT') }),
  adjustCherry: () => ({
    headers: bearer(admin),
    body: { user_id: agent.id, amount: 5, reason: 'test' },
    other: { user_id: agent.id, amount: 6, reason: 'test' },
  }),
  recordIntent: () => ({ headers: bearer(owner), body: intent, other: { ...intent, amount_usdc: '26' } }),
  createPaperBook: () => ({
    headers: bearer(owner),
    body: { name: 'Again', start_usdc: '1000' },
    other: { name: 'Other', start_usdc: '1000' },
  }),
  prepareOrder: async () => ({
    headers: bearer(await paperTrader()),
    body: { ...intent, mode: 'paper' },
    other: { ...intent, mode: 'paper', amount_usdc: '26' },
  }),
  placePageOrder: async () => ({
    headers: bearer(await paperTrader()),
    body: { ...intent, mode_seen: 'paper' },
    other: { ...intent, mode_seen: 'paper', amount_usdc: '26' },
  }),
  closePosition: async () => {
    const token = await paperTrader()
    await ask(world.url, '/ui/trade/order', { token, body: { ...intent, mode_seen: 'paper' } })
    const close = { market: 'hl:BTC', mode_seen: 'paper' }
    return { headers: bearer(token), body: close, other: { ...close, market: 'hl:ETH' } }
  },
  addOperator: async () => {
    const operator = { agent_id: (await registerAgent(world.url)).id, kind: 'signal', title: 'Night watch' }
    return { headers: bearer(admin), body: operator, other: { ...operator, title: 'Day watch' } }
  },
  publishListing: async () => {
    const { key, vaultId } = await publisher()
    const listing = {
      type: 'signal_subscription',
      title: 'BTC by day',
      summary: 'Where the operator stands in BTC.',
      price_model: 'free',
      ref_vault_id: vaultId,
    }
    return { headers: { 'x-svc-user-key': key }, body: listing, other: { ...listing, title: 'ETH by day' } }
  },
  verifyClaim: () => {
    const claim = { kind: 'task_market', ref: 'task-1', evidence_url: 'https://example.com/task-1' }
    return {
      path: `/admin/agents/${agent.id}/claims`,
      headers: bearer(admin),
      body: claim,
      other: { ...claim, ref: 'task-2' },
    }
  },
  raiseOrderCap: () => ({ headers: bearer(owner), body: {}, other: null }),
}

/**
 * Operations whose first call needs scans, a chain or a vault. The kit repeats the first answer for every operation
 * (packages/service/test/kit.test.ts); this suite covers the operations that an empty platform can answer.
 */
const NEEDS_MORE = new Set([
  'makeReport',
  'createMandate',
  'signTerms',
  'attachVault',
  'stopMandate',
  'recordVaultTransaction',
  'settleMandate',
  'publishSignal',
  'hireListing',
  'releaseListing',
  'decideApproval',
  'reportEvent',
  'reportRefusal',
  'reportTransfer',
  'placeLegOrder',
  'unbindLeg',
  'dripGas',
  'executeOrder',
  'recordOrder',
  'writeOffLegDebt',
])

const all = routesOf(contracts).filter((route) => route.operation.idempotent === true)
const idempotent = all.filter((route) => !NEEDS_MORE.has(route.operation.key))

async function send(route: Route, example: Example, key: string, body: unknown): Promise<RawAnswer> {
  const answer = await world.judged({
    method: route.method,
    path: example.path ?? route.path,
    headers: { ...strangerAddress(), 'content-type': 'application/json', 'idempotency-key': key, ...example.headers },
    body: JSON.stringify(body),
  })
  expect(world.conformance.problemsOf(route, route.method, answer)).toEqual([])
  return answer
}

const codeOf = (answer: RawAnswer) => (answer.json as { code?: string }).code

export function idempotencySuite(given: () => World): void {
  beforeAll(async () => {
    world = given()
    const { house } = world.platform
    agent = await registerAgent(world.url)
    admin = (await signIn(world.url, house.admin)).token
    reviewer = (await signIn(world.url, house.reviewers[0])).token
    owner = (await signIn(world.url, newWallet())).token
    const grant = { user_id: agent.id, amount: 100_000, reason: 'test' }
    expect((await ask(world.url, '/admin/cherry/adjustments', { token: admin, body: grant })).status).toBe(201)
    const tier = await ask(world.url, '/subscriptions/cherries/subscribe', {
      key: agent.key,
      body: { tier: 1, months: 1 },
    })
    expect(tier.status).toBe(201)
  })

  describe('a request with an Idempotency-Key', () => {
    test('has an example for each idempotent operation', () => {
      expect(idempotent.map((route) => route.operation.key).filter((key) => examples[key] === undefined)).toEqual([])
    })

    test.each(idempotent.map((route) => [route.operation.key, route] as const))(
      '%s takes effect once and marks a repeated answer',
      async (name, route) => {
        const example = await (examples[name] as () => Example | Promise<Example>)()
        const key = randomUUID()
        const first = await send(route, example, key, example.body)
        expect(first.status, first.text).toBeLessThan(300)
        expect(first.headers['idempotent-replayed']).toBeUndefined()
        // A quoted string is the same key as the bare one.
        for (const form of [key, `"${key}"`]) {
          const again = await send(route, example, form, example.body)
          if (route.operation.secret === true) {
            expect([again.status, codeOf(again)]).toEqual([409, 'secret_already_shown'])
          } else {
            expect(again.status).toBe(first.status)
            expect(again.json).toEqual(first.json)
            expect(again.headers['idempotent-replayed']).toBe('true')
          }
        }
        if (example.other !== null) {
          const other = await send(route, example, key, example.other)
          expect([other.status, codeOf(other)]).toEqual([422, 'idempotency_mismatch'])
        }
      },
    )

    test.each(idempotent.map((route) => [route.operation.key, route] as const))(
      '%s refuses a malformed key',
      async (name, route) => {
        const example = await (examples[name] as () => Example | Promise<Example>)()
        for (const key of ['', ' ', '"', '""', 'two words', 'x'.repeat(256), 'ümlaut']) {
          const answer = await world.send({
            method: route.method,
            path: example.path ?? route.path,
            headers: {
              ...strangerAddress(),
              'content-type': 'application/json',
              'idempotency-key': key,
              ...example.headers,
            },
            body: JSON.stringify(example.body),
          })
          const { errors } = answer.json as { errors?: { pointer: string }[] }
          expect([key, answer.status, errors?.[0]?.pointer]).toEqual([key, 400, '/header/idempotency-key'])
        }
      },
    )
  })
}
