import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { waitForReceipt } from '@svc/chain'
import { eventually, opened } from '@svc/testing'
import { createWalletClient, http, type Hex, type LocalAccount } from 'viem'
import { expect, test } from 'vitest'
import { postOrder, signTyped, typedDataWallet } from './browser.ts'
import { ask, type Answer, type Ask } from './client.ts'
import { startWorld } from './contract/world.ts'
import { registerAgent, signIn } from './people.ts'

const world = opened(() => startWorld({ HUB_STOP_LINE_DRY_RUN: '1' }, { chain: true, leg: true }))
const SOON = { everyMs: 100 }
const chain = () => world.platform.chain ?? expect.fail('the world has no chain')
const venue = () => world.platform.legVenue ?? expect.fail('the world has no venue')

async function good(answer: Promise<Answer>): Promise<any> {
  const { status, body } = await answer
  expect(status, JSON.stringify(body)).toBeLessThan(300)
  return body
}

/** Writes or removes the switch file of live trading, and waits until the station and the account see it. */
async function liveTrading(on: boolean): Promise<void> {
  const file = join(world.platform.switchesDir, 'SVC_LIVE_TRADING_ENABLED')
  if (on) writeFileSync(file, '1')
  else rmSync(file, { force: true })
  const people = trader === null ? [] : [trader]
  await eventually(async () => {
    const station = await good(ask(world.url, '/hub/info/station-status'))
    expect(station.live_trading).toBe(on)
    for (const one of people) expect((await one.get('/ui/trade/me')).live_switch).toBe(on)
  }, SOON)
}

/** An owner with a wallet, and what they ask. */
interface Trader {
  readonly wallet: LocalAccount
  readonly token: string
  readonly id: number
  get(path: string): Promise<any>
  post(path: string, body: object, more?: Ask): Promise<Answer>
}
let trader: Trader | null = null
const owner = () => trader ?? expect.fail('nobody has signed in')

async function signedIn(wallet: LocalAccount): Promise<Trader> {
  const { token, id } = await signIn(world.url, wallet)
  return {
    wallet,
    token,
    id,
    get: (path) => good(ask(world.url, path, { token })),
    post: (path, body, more = {}) => ask(world.url, path, { token, body, ...more }),
  }
}

/** Links the account of the owner's wallet, and answers with its status. */
async function link(one: Trader): Promise<any> {
  const { hash } = await one.get('/hub/own/terms')
  const challenge = await good(one.post('/hub/own/link/challenge', { wallet_address: one.wallet.address }))
  const signature = await one.wallet.signMessage({ message: challenge.message })
  return good(one.post('/hub/own/link', { signature, terms_hash: hash }))
}

/** Relays what the owner's wallet signs of one offer of the status. */
async function approve(one: Trader, offer: { typed_data: unknown; nonce: number }): Promise<any> {
  const signature = await signTyped(typedDataWallet(one.wallet), offer.typed_data)
  return good(one.post('/hub/own/enable/relay', { signature, nonce: offer.nonce }))
}

const info = async (body: object): Promise<any> =>
  (
    await fetch(`${venue().url}/info`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  ).json()
const fillsOf = async ({ wallet }: Trader): Promise<{ cloid: string; sz: string; coin: string }[]> =>
  info({ type: 'userFills', user: wallet.address })
/** Executed size of an order, by the venue's own list. */
const executed = async (one: Trader, cloid: string): Promise<number> =>
  (await fillsOf(one)).filter((fill) => fill.cloid === cloid).reduce((sum, { sz }) => sum + Number(sz), 0)

const BUY = { market: 'hl:BTC', side: 'buy', amount_usdc: '25' } as const
const prepared = (one: Trader, more: object = {}) => good(one.post('/hub/order', { ...BUY, mode: 'live', ...more }))

test('an owner links an account, approves its keys, and trades on paper while live trading is off', async () => {
  trader = await signedIn(chain().wallets.demo[0])
  const one = owner()
  await eventually(async () => {
    const { items } = await good(ask(world.url, '/ui/trade/products'))
    expect(items.map(({ market_id }: { market_id: string }) => market_id)).toContain('hl:BTC')
  }, SOON)
  expect(await one.get('/hub/own/status')).toMatchObject({ wallet: null, can_trade: false })
  const linked = await link(one)
  expect(linked).toMatchObject({ wallet: one.wallet.address, refused: null, order_key: { state: 'offered' } })
  expect((await approve(one, linked.approvals.order_key)).kind).toBe('order_key')
  expect((await approve(one, linked.approvals.builder_fee)).kind).toBe('builder_fee')
  const status = await good(one.post('/hub/own/enable/verify', {}))
  expect(status).toMatchObject({ order_key: { state: 'enabled' }, builder_fee: { approved: true, max_fee: 100 } })
  const failing = status.checks.filter(({ ok }: { ok: boolean }) => !ok).map(({ id }: { id: string }) => id)
  expect([status.can_trade, failing]).toEqual([false, ['live_trading']])

  await good(one.post('/hub/own/paper/books', { name: 'Flow', start_usdc: '1000' }))
  const paper = await good(one.post('/hub/order', { ...BUY, mode: 'paper' }))
  expect(paper).toMatchObject({ confirm_id: null, sign_mode: 'none', fill: { status: 'filled' } })
  const { live, paper: books } = await one.get('/ui/trade/positions')
  expect([live, books.map(({ market }: { market: string }) => market)]).toEqual([[], ['hl:BTC']])

  const refused = await one.post('/hub/order', { ...BUY, mode: 'live' })
  expect([refused.status, refused.body.code, refused.body.refusal?.code]).toEqual([
    409,
    'order_refused',
    'live_trading_off',
  ])
  expect(refused.body.refusal.fix).toEqual(expect.any(String))
  expect(await fillsOf(one)).toEqual([])
})

test('two tabs that confirm one order execute it once, and the venue lists it under our name', async () => {
  const one = owner()
  await liveTrading(true)
  expect((await one.get('/hub/own/status')).can_trade).toBe(true)
  const order = await prepared(one)
  expect(order).toMatchObject({ sign_mode: 'server', typed_data: null, requested_by: 'owner' })
  const tabs = await Promise.all(
    ['tab-1', 'tab-2'].map((idempotencyKey) =>
      one.post('/hub/order/execute', { confirm_id: order.confirm_id, mode_seen: 'live' }, { idempotencyKey }),
    ),
  )
  for (const { status } of tabs) expect([200, 202]).toContain(status)
  const done = await eventually(async () => good(finalOf(one, order.confirm_id)), SOON)
  expect(done.order.status).toBe('filled')
  expect(await executed(one, done.order.cloid)).toBe(Number(done.order.filled_size))
  expect((await fillsOf(one)).length).toBe(
    (await fillsOf(one)).filter(({ cloid }) => cloid === done.order.cloid).length,
  )
  const cap = await one.get('/hub/order/cap')
  expect(Number(cap.used_today_usdc)).toBeCloseTo(Number(done.order.notional_usdc), 6)
})

/** Asks until an order is resolved. */
async function finalOf(one: Trader, confirmId: string): Promise<Answer> {
  const answer = await one.post('/hub/order/execute', { confirm_id: confirmId })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer
}

test('an answer that is lost after the execution leads to the same order, executed once', async () => {
  const one = owner()
  const order = await prepared(one)
  venue().control('fault', { kind: 'drop', endpoint: 'exchange', type: 'order' })
  const first = await one.post('/hub/order/execute', { confirm_id: order.confirm_id })
  expect([200, 202], JSON.stringify(first.body)).toContain(first.status)
  const done = await eventually(async () => good(finalOf(one, order.confirm_id)), SOON)
  expect(done.order.status).toBe('filled')
  expect(await executed(one, done.order.cloid)).toBe(Number(done.order.filled_size))
})

test('a page that saw live while live trading went off executes nothing and says the mode', async () => {
  const one = owner()
  expect((await one.get('/ui/trade/me')).mode).toBe('live')
  const waiting = await prepared(one)
  const before = (await fillsOf(one)).length
  await liveTrading(false)
  const click = await one.post('/ui/trade/order', { ...BUY, mode_seen: 'live' })
  expect([click.status, click.body.code, click.body.mode]).toEqual([409, 'mode_changed', 'paper'])
  // What was prepared before does not leave either.
  const late = await one.post('/hub/order/execute', { confirm_id: waiting.confirm_id, mode_seen: 'live' })
  expect([late.status, ['mode_changed', 'order_refused'].includes(late.body.code)]).toEqual([409, true])
  expect((await fillsOf(one)).length).toBe(before)
})

test('a position is closed while live trading is off', async () => {
  const one = owner()
  // Live positions are read at the venue every few seconds; live_read_at says when.
  const shown = async () => (await one.get('/ui/trade/positions')).live.map(({ market }: { market: string }) => market)
  await eventually(async () => expect(await shown()).toEqual(['hl:BTC']), SOON)
  const closed = await good(one.post('/ui/trade/close', { market: 'hl:BTC', mode: 'live', mode_seen: 'paper' }))
  expect(closed.order.status).toBe('filled')
  const state = await info({ type: 'clearinghouseState', user: one.wallet.address })
  expect(state.assetPositions).toEqual([])
  await eventually(async () => expect(await shown()).toEqual([]), SOON)
})

test('a key in the browser signs and posts an order itself, and not recording one frees no cap', async () => {
  await liveTrading(true)
  const two = await signedIn(chain().wallets.demo[1])
  const linked = await link(two)
  await approve(two, linked.approvals.builder_fee)
  await good(two.post('/hub/builder-fee/record', {}))
  const key = typedDataWallet()
  const { approvals } = await two.get(`/hub/own/status?web_address=${key.address}`)
  expect(approvals.web_key).toMatchObject({ agent_address: key.address.toLowerCase(), agent_name: 'svc-web' })
  expect((await approve(two, approvals.web_key)).kind).toBe('web_key')

  const order = await prepared(two)
  expect(order).toMatchObject({ sign_mode: 'client', confirm_id: expect.any(String) })
  const early = await two.post('/hub/order/record', { confirm_id: order.confirm_id })
  expect([early.status, early.body.code]).toEqual([409, 'order_not_at_venue'])
  const stranger = await owner().post('/hub/order/record', { confirm_id: order.confirm_id })
  expect([stranger.status, stranger.body.code]).toEqual([404, 'unknown_order'])
  expect(await postOrder(key, order)).toMatchObject({ status: 'ok' })
  const recorded = await eventually(async () => {
    const answer = await two.post('/hub/order/record', { confirm_id: order.confirm_id })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    return answer.body
  }, SOON)
  expect(recorded).toMatchObject({ order: { status: 'filled' }, violation: false })
  expect(await executed(two, recorded.order.cloid)).toBe(Number(recorded.order.filled_size))

  // The next one is posted and never recorded: its cap is used all the same.
  const used = async () => Number((await two.get('/hub/order/cap')).used_today_usdc)
  const usedBefore = await used()
  const silent = await prepared(two)
  const reserved = await used()
  expect(reserved).toBeGreaterThan(usedBefore)
  expect(await postOrder(key, silent)).toMatchObject({ status: 'ok' })
  await eventually(
    async () => {
      const now = await used()
      expect(now).toBeGreaterThan(usedBefore)
      const { items } = await two.get('/hub/order/pending')
      expect(items).toEqual([])
    },
    { everyMs: 500 },
  )
  expect(await used()).toBeGreaterThan(usedBefore)
})

test('an agent orders on the account of its owner, and the owner confirms it', async () => {
  const one = owner()
  const agent = await registerAgent(world.url, 'trader', chain().wallets.demo[2])
  const asAgent = (path: string, body?: object) =>
    ask(world.url, path, { key: agent.key, ...(body === undefined ? {} : { body }) })
  const unpaired = await asAgent('/hub/order', { ...BUY, mode: 'live' })
  expect([unpaired.status, unpaired.body.refusal?.code]).toEqual([409, 'agent_not_paired'])
  const { code } = await good(one.post('/hub/agents/pair-code', {}))
  await good(asAgent('/hub/agents/pair', { code }))
  const without = await asAgent('/hub/order', { ...BUY, mode: 'live' })
  expect([without.status, without.body.refusal?.code]).toEqual([409, 'no_mandate'])
  await mandateFor(one, agent.id)

  const waiting = await good(asAgent('/hub/order', { ...BUY, mode: 'live' }))
  expect(waiting).toMatchObject({ requested_by: 'agent' })
  const before = (await fillsOf(one)).length
  const { items } = await one.get('/hub/order/pending')
  const [mine] = items
  expect(mine).toMatchObject({ agent_id: agent.id, requested_by: 'agent', market: 'hl:BTC' })
  const own = await asAgent('/hub/order/execute', { confirm_id: mine.confirm_id })
  expect([own.status, own.body.code]).toEqual([403, 'scope_denied'])
  expect((await fillsOf(one)).length).toBe(before)
  const done = await good(one.post('/hub/order/execute', { confirm_id: mine.confirm_id, mode_seen: 'live' }))
  expect(done.order.status).toBe('filled')
  expect(await executed(one, done.order.cloid)).toBe(Number(done.order.filled_size))
})

/** Signs and funds a mandate between the owner and the agent that lists the market. */
async function mandateFor(one: Trader, agentId: number): Promise<void> {
  const send = async (call: { to: string; data: string }): Promise<Hex> => {
    const client = createWalletClient({ account: one.wallet, transport: http(chain().url) })
    const hash = await client.sendTransaction({
      chain: null,
      to: call.to as Hex,
      data: call.data as Hex,
      gas: 3_000_000n,
    })
    expect((await waitForReceipt(chain().chain, hash)).status).toBe('success')
    return hash
  }
  const { mandate } = await good(
    one.post('/hub/mandates', {
      name: 'Trade',
      budget_usdc: '200',
      per_tx_cap_usdc: '50',
      daily_cap_usdc: '100',
      stop_line_usdc: '50',
      approval_above_usdc: null,
      markets: ['hl:BTC'],
      hl_leg: true,
      ends_at: new Date((Math.floor(Date.now() / 1000) + 10 * 86_400) * 1000).toISOString(),
      fee_bps: 1_000,
      agent_id: agentId,
    }),
  )
  const at = `/hub/mandates/${mandate.public_id}`
  const { typed_data, terms_hash } = await one.get(`${at}/terms`)
  await good(one.post(`${at}/sign`, { signature: await one.wallet.signTypedData(typed_data), terms_hash }))
  const created = await send((await one.get(`${at}/create-call`)).call)
  await good(one.post(`${at}/vault`, { tx_hash: created }))
  const { calls } = await one.get(`${at}/fund?amount_usdc=100`)
  await send(calls.approve)
  await send(calls.deposit)
  await eventually(async () => expect((await one.get(at)).state).toBe('working'), SOON)
}

test('a limit that the owner lowers on the page refuses the next order at every door, live and on paper', async () => {
  const one = owner()
  const raised = await good(one.post('/hub/order/cap/raise', {}))
  expect(raised.changed.per_order_usdc).toEqual({ from: '100', to: '200' })
  const body = { per_order_usdc: '20' }
  const limits = await good(ask(world.url, '/ui/trade/limits', { method: 'PUT', token: one.token, body }))
  const bound = { per_order_usdc: '20', bound_by: { per_order_usdc: 'owner_limit' } }
  expect(limits).toMatchObject(bound)
  expect((await one.get('/ui/trade/me')).limits).toMatchObject(bound)
  const { used_today_usdc, ...cap } = await one.get('/hub/order/cap')
  expect(cap).toMatchObject(bound)
  for (const asked of [
    one.post('/hub/order', { ...BUY, mode: 'live' }),
    one.post('/hub/order', { ...BUY, mode: 'paper' }),
    one.post('/ui/trade/order', { ...BUY, mode_seen: 'live' }),
  ]) {
    const { status, body: refused } = await asked
    expect([status, refused.code, refused.refusal?.code]).toEqual([409, 'order_refused', 'over_order_cap'])
    expect(refused.refusal.limit).toBe('20')
  }
  await good(one.post('/hub/order', { ...BUY, amount_usdc: '15', mode: 'paper' }))
  expect((await one.get('/hub/order/cap')).used_today_usdc).toBe(used_today_usdc)
})
