import { createClient, signIn as openSession, vaultOf, type Client as Api } from '@svc/sdk'
import { eventually } from '@svc/testing'
import { createWalletClient, http, type Hex, type LocalAccount } from 'viem'
import { describe, expect, test, vi } from 'vitest'
import { openStage, type Person, type Stage } from '../demo/chain-stage.ts'
import { command, type LocalVenue } from '../demo/leg/leg-day.ts'
import { walletCall } from '../demo/mandate/scene.ts'
import { awayFromMidnight, giveGas, newcomer, takeFromFaucet } from '../demo/people.ts'
import { createWalk } from '../demo/walk.ts'
import { VENUE_TOKEN } from '../dev/leg-venue.ts'
import { doorOfHttp, doorOfTools, type AgentDoor } from './agent-door.ts'
import { ask } from './client.ts'
import type { World } from './contract/world.ts'
import { inTwoWeeks } from './mandate-tools.suite.ts'
import { registerAgent, signIn, type Agent } from './people.ts'

/** An agent, the door that it came by, and the people on whom it depends. */
interface Scene {
  readonly world: World
  readonly stage: Stage
  readonly agent: Agent
  readonly door: AgentDoor
  readonly owner: Person
  /** The API as the owner's pages use it. */
  readonly asOwner: Api
  readonly admin: string
  readonly reviewer: string
}

/** Pairs of the replay of which each walk mines one. */
const PAIRS = { tools: 'SOL/USDT', http: 'ADA/USDT' }
const LIMITS = {
  budget_usdc: '500', per_tx_cap_usdc: '60', daily_cap_usdc: '200', stop_line_usdc: '394', approval_above_usdc: '40',
  fee_bps: 1_000, leg_budget_usdc: '200', hl_leg: true,
} // prettier-ignore
const DEPOSIT = '400'
const PRICE_CHERRY = 5

/**
 * Plays the whole goal of an agent twice: with tools over MCP, and with the routes that `/hub/door` and `/hub/skill.md` name. The
 * door checks that each value of a call stood in an earlier answer. The admin gives the Cherry for a tier, which nobody mines
 * in a day.
 */
export function agentWalkSuite(given: () => World): void {
  describe('an agent reaches the goal with nothing but what it was told', () => {
    test.each(['tools', 'http'] as const)('by %s', async (way) => {
      const scene = await openScene(given(), way)
      await mine(scene, PAIRS[way])
      const market = await buyAndRead(scene)
      await payForSignal(scene)
      const mandate = await acceptMandate(scene)
      await tradeAtVault(scene, mandate)
      await tradeAtLeg(scene, mandate)
      const kinds = await readRecord(scene, mandate)
      expect(kinds).toEqual(expect.arrayContaining(['accepted', 'vault_attached', 'event', 'refused']))
      await beRefusedAfterStop(scene, mandate)
      expect((await scene.door.call('token', { token_id: market })).row).toBeDefined()
      await scene.door.close()
    })
  })
}

async function openScene(world: World, way: 'tools' | 'http'): Promise<Scene> {
  vi.spyOn(console, 'log').mockImplementation(() => {})
  const { chain: local, house } = world.platform
  if (local === null) throw new Error('the world has no chain')
  const stage = openStage(local, createWalk(world.url))
  // The caps of a day begin again at midnight.
  await awayFromMidnight(stage.walk)
  const [owner, other] = [newcomer('owner'), newcomer('agent')]
  await giveGas(stage, local.wallets, [owner, other])
  await takeFromFaucet(stage, owner)
  const agent = await registerAgent(world.url, `walk-${way}`, other.wallet)
  const door = way === 'tools' ? await doorOfTools(world, agent.key) : await doorOfHttp(world, agent.key)
  const visitor = createClient({ baseUrl: world.url })
  const [reviewer] = house.reviewers
  return {
    world, stage, agent, door, owner,
    asOwner: visitor.as({ session: await openSession(visitor, owner.wallet) }),
    admin: (await signIn(world.url, house.admin)).token,
    reviewer: (await signIn(world.url, reviewer ?? expect.fail('no reviewer'))).token,
  } // prettier-ignore
}

/** The agent learns who it is and what it may earn, submits a field, and reads that a reviewer approved it. */
async function mine({ world, door, reviewer }: Scene, symbol: string): Promise<void> {
  const me = await door.call('hub_me', {})
  expect(me).toMatchObject({ kind: 'agent' })
  const { items } = await door.call('tokens_search', { q: symbol.slice(0, 3) }, { chosen: ['q'] })
  const [token] = items
  const { groups } = await door.call('mining_fields', { exchange: token.exchange, symbol: token.symbol })
  const fields = groups.flatMap((group: any) => group.fields)
  const field = fields.find((one: any) => one.field === 'whitepaper' && one.current_value === null)
  const { submission_ids } = await door.call(
    'mining_submit',
    {
      exchange: token.exchange,
      symbol: token.symbol,
      entries: [
        {
          field_name: field.field,
          field_value: `https://example.com/${crypto.randomUUID()}`,
          evidence_url: 'https://example.com/',
        },
      ],
    },
    { chosen: ['field_value', 'evidence_url'] },
  )
  const pending = await door.call('mining_submissions', {})
  expect(JSON.stringify(pending)).toContain(submission_ids[0])
  const review = { token: reviewer, body: { decision: 'approve' } }
  const answer = await ask(world.url, `/admin/mining/submissions/${submission_ids[0]}/review`, review)
  expect(answer.status).toBe(200)
  await eventually(async () => {
    const { balance } = await door.call('cherry_balance', {})
    expect(balance).toBeGreaterThan(10)
  })
}

/** The agent buys a tier, watches a pair and reads research. Returns the id of the pair. */
async function buyAndRead({ world, door, agent, admin }: Scene): Promise<string> {
  await door.call('tier_buy', { tier: 1, months: 1 }, { refused: 'insufficient_cherry', chosen: ['months'] })
  const grant = { user_id: agent.id, amount: 25_000, reason: 'a walk' }
  expect((await ask(world.url, '/admin/cherry/adjustments', { token: admin, body: grant })).status).toBe(201)
  await door.call('tier_quote', { tier: 1, months: 1 }, { chosen: ['months'] })
  await door.call('tier_buy', { tier: 1, months: 1 }, { chosen: ['months'] })
  await eventually(async () => expect(await door.call('tier_status', {})).toMatchObject({ tier: 1 }))
  const { tokens } = await door.call('board', { limit: 5 }, { chosen: ['limit'] })
  const [{ token_id, exchange, symbol }] = tokens
  await door.call('targets_add', { exchange, symbol })
  await eventually(async () => {
    const { targets } = await door.call('targets', {})
    expect(targets).toHaveLength(1)
  })
  await door.call('research', { exchange, symbol })
  return token_id
}

/** The agent finds a listing of signals, is told what a page costs, and pays it by the offer of the refusal. */
async function payForSignal({ world, door, admin }: Scene): Promise<void> {
  await sellSignals(world, admin)
  const { items } = await door.call('hub_gallery', {})
  const priced = items.find((one: any) => one.price_cherry !== null && one.type === 'signal_subscription')
  const { listing_id } = priced
  const refusal = await door.call('hub_gallery_signals', { listing_id }, { refused: 'payment_required' })
  const { offer_id } = refusal.offer.extra
  const page = await door.call('hub_gallery_signals', { listing_id, offer_id })
  expect(page).toMatchObject({ charged_cherry: PRICE_CHERRY, items: [{ market: 'hl:ETH' }] })
}

/** The owner lets the key of the agent trade, which nobody else can. */
async function grantTx({ url }: World, asOwner: Api, agent: Agent): Promise<void> {
  const [key] = (await createClient({ baseUrl: url, apiKey: agent.key }).api.listKeys({})).items
  const scopes: ('read' | 'write' | 'tx')[] = ['read', 'write', 'tx']
  await asOwner.api.setKeyScopes({ agent_id: agent.id, key_id: key?.key_id ?? expect.fail('no key'), scopes })
}

/** An operator with a listing and one signal, made by the admin. */
async function sellSignals(world: World, token: string): Promise<void> {
  const seller = await registerAgent(world.url, 'seller')
  const visitor = createClient({ baseUrl: world.url })
  const asOwner = visitor.as({ session: await openSession(visitor, newcomer('owner of the seller').wallet) })
  const { code } = await asOwner.api.createPairCode()
  await visitor.as({ apiKey: seller.key }).api.pairAgent({ code })
  await grantTx(world, asOwner, seller)
  const title = `Signals ${crypto.randomUUID().slice(0, 8)}`
  const made = await ask(world.url, '/admin/operators', {
    token,
    body: { agent_id: seller.id, kind: 'signal', title },
  })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  const { vault_id } = made.body.operator
  const listed = await ask(world.url, '/hub/gallery', {
    key: seller.key,
    body: {
      type: 'signal_subscription', title, summary: 'Where the seller stands in ETH.', price_model: 'paid_read',
      price_cherry: PRICE_CHERRY, ref_vault_id: vault_id,
    },
  }) // prettier-ignore
  expect(listed.status, JSON.stringify(listed.body)).toBe(201)
  const signal = { client_id: 'one', market: 'hl:ETH', side: 'long', weight_bps: 2_500 }
  const published = await ask(world.url, `/opvault/vaults/${vault_id}/signals`, { key: seller.key, body: signal })
  expect(published.status, JSON.stringify(published.body)).toBe(201)
  const again = await ask(world.url, `/opvault/vaults/${vault_id}/signals`, { key: seller.key, body: signal })
  expect([again.body, again.headers.get('idempotent-replayed')]).toEqual([published.body, 'true'])
}

/** The owner pairs the agent, grants what a person must grant, and offers a mandate, which the agent reads and accepts. */
async function acceptMandate(scene: Scene): Promise<string> {
  const { world, door, owner, asOwner, agent } = scene
  const { code } = await asOwner.api.createPairCode()
  door.hear(`The code is ${code}.`)
  await door.call('hub_pair', { code })
  await command(venueOf(world), 'mark', { coin: 'ETH', price: '3000' })
  await command(venueOf(world), 'fund', { address: owner.wallet.address, amount: '250' })
  const { mandate } = await asOwner.api.createMandate({
    name: 'A walk', ...LIMITS, markets: ['testvenue', 'hl:ETH'], agent_id: agent.id,
    ends_at: inTwoWeeks(),
  }) // prettier-ignore
  const { public_id } = mandate
  await openVault(scene, public_id)
  const { items } = await door.call('agent_offers', { agent_id: (await door.call('hub_me', {})).account_id })
  expect(items.map((one: any) => one.public_id)).toEqual([public_id])
  await door.call('mandate_read', { public_id: items[0].public_id })
  await door.call('mandate_accept', { public_id: items[0].public_id })
  return public_id
}

function venueOf({ platform }: World): LocalVenue {
  const { url } = platform.legVenue ?? expect.fail('the world has no venue')
  return { url, token: platform.servers.secrets.password(VENUE_TOKEN) }
}

/** The owner signs the terms, creates the vault and pays in. */
async function openVault({ stage, owner, asOwner }: Scene, public_id: string): Promise<void> {
  const wallet = createWalletClient({ account: owner.wallet, transport: http(stage.url) })
  const vault = await vaultOf(asOwner, wallet, public_id)
  await vault.signTerms()
  await vault.create()
  await vault.deposit(DEPOSIT)
}

/** The agent simulates, buys at the vault, is refused at each rail with the way out, and asks its owner. */
async function tradeAtVault(scene: Scene, public_id: string): Promise<void> {
  const { door } = scene
  const { items } = await door.call('mandate_markets', {})
  const found = items.find((one: any) => one.calls.some((call: any) => call.action === 'buy'))
  const { market_id: market, instruments } = found
  const [instrument] = instruments
  const buy = (usdc: string) => ({
    public_id, market, action: 'buy', instrument, usdc_in: usdc, min_units: '0', approve_amount_usdc: usdc,
  }) // prettier-ignore
  const chosen = ['usdc_in', 'min_units', 'approve_amount_usdc', 'amount_usdc']
  await eventually(async () => {
    const simulated = await door.call('mandate_simulate', { public_id, market, amount_usdc: '25' }, { chosen })
    expect(simulated, JSON.stringify(simulated)).toMatchObject({ passes: true })
  })
  const first = await door.call('mandate_execute_call', buy('30'), { chosen })
  const hash = await sendByAgent(scene, first.tx)
  door.hear(`The transaction is ${hash}.`)
  const occurred_at = new Date().toISOString()
  const report = { public_id, kind: 'buy', market, side: 'buy', amount_usdc: '30', tx_hash: hash, occurred_at }
  await door.call('mandate_report_event', report, { chosen: [...chosen, 'occurred_at'] })

  const over = await door.call('mandate_execute_call', buy('90'), { chosen, refused: 'hub_mandate_refuses' })
  expect(over.refusal).toMatchObject({ kind: 'OverPerTxCap', max_passing_amount_usdc: '40' })
  expect(over.refusal.fix).toEqual(expect.any(String))
  const held = await door.call('mandate_execute_call', buy('60'), { chosen, refused: 'pending_approval' })
  const { approval_id } = held.approval
  await scene.asOwner.api.decideApproval({ public_id, approval_id, decision: 'approve' })
  const approved = await door.call('mandate_execute_call', buy('60'), { chosen })
  await sendByAgent(scene, approved.tx)
  await eventually(async () => {
    const { usage } = await door.call('mandate_read', { public_id })
    expect(usage.used_usdc).toBe('90')
  })
}

/** Sends the transaction of a prepared call from the agent's wallet. */
async function sendByAgent({ stage, agent }: Scene, tx: { to: string; data: string }): Promise<Hex> {
  const { hash } = await stage.send({ name: 'agent', wallet: agent.wallet }, walletCall(tx), 'vault.execute')
  return hash
}

/** The owner binds the account; the agent orders, is refused, asks, and orders again. */
async function tradeAtLeg({ world, door, asOwner, owner, agent }: Scene, public_id: string): Promise<void> {
  const { items } = await door.call('mandate_markets', {})
  const { market_id: market } = items.find((one: any) => one.market_id === 'hl:ETH')
  const order = (amount_usdc: string, max_slippage = '0.05') => {
    return { public_id, market, side: 'buy', amount_usdc, max_slippage }
  }
  const chosen = ['amount_usdc', 'side', 'max_slippage']
  const scopeless = await door.call('mandate_hl_order', order('20'), { chosen, refused: 'missing_scope' })
  expect(scopeless.human_action).toMatchObject({ who: expect.stringContaining('owner') })
  await grantTx(world, asOwner, agent)
  const approval = await asOwner.api.prepareApproval({ public_id })
  const signature = await owner.wallet.signTypedData(
    approval.typed_data as Parameters<LocalAccount['signTypedData']>[0],
  )
  await asOwner.api.bindLeg({ public_id, signature, nonce: approval.nonce })
  await eventually(async () => {
    const { venue_estimate_usdc, moving } = await door.call('mandate_money', { public_id })
    expect([venue_estimate_usdc, moving.length]).toEqual([LIMITS.leg_budget_usdc, 0])
  })
  expect(await door.call('mandate_leg', { public_id })).toMatchObject({ state: 'bound' })
  // The first order may come while the money still moves: the refusal says to repeat it.
  await eventually(async () => {
    const filled = await door.call('mandate_hl_order', order('20'), { chosen })
    expect(filled).toMatchObject({ order: { status: 'filled' } })
  })
  const over = await door.call('mandate_hl_order', order('100'), { chosen, refused: 'hub_mandate_refuses' })
  expect(over.refusal).toMatchObject({ kind: 'OverPerTxCap', fix: expect.any(String) })
  // At so high a price, what it buys could lose more than what is left above the stop line.
  const risky = await door.call('mandate_hl_order', order('40', '0.2'), { chosen, refused: 'hub_mandate_refuses' })
  expect(risky.refusal).toMatchObject({ kind: 'server_guard', clause: 7, code: 'stop_line_would_be_reached' })
  expect(risky.refusal.fix).toContain('stop line')
  const held = await door.call('mandate_hl_order', order('50'), { chosen, refused: 'pending_approval' })
  const { approval_id } = held.approval
  await asOwner.api.decideApproval({ public_id, approval_id, decision: 'approve' })
  await door.call('mandate_hl_order', order('50'), { chosen })
  const daily = await door.call('mandate_hl_order', order('48'), { chosen, refused: 'hub_mandate_refuses' })
  expect(daily.refusal).toMatchObject({ kind: 'OverDailyCap' })
  const { market_id: foreign } = items.find((one: any) => one.market_id.startsWith('hl:') && one.market_id !== market)
  const elsewhere = { ...order('20'), market: foreign }
  const unlisted = await door.call('mandate_hl_order', elsewhere, { chosen, refused: 'hub_mandate_refuses' })
  expect(unlisted.refusal).toMatchObject({ kind: 'TargetNotAllowed' })
}

/** Returns the kinds of the entries in the record of the mandate. */
async function readRecord({ door }: Scene, public_id: string): Promise<readonly string[]> {
  const { steps } = await door.call('mandate_record', { public_id })
  return steps.map(({ kind }: { kind: string }) => kind)
}

/** The owner stops the mandate, and the agent is refused whatever comes later. */
async function beRefusedAfterStop({ door, asOwner }: Scene, public_id: string): Promise<void> {
  await asOwner.api.stopMandate({ public_id })
  const { items } = await door.call('mandate_markets', {})
  const { market_id: market } = items.find((one: any) => one.market_id === 'hl:ETH')
  const order = { public_id, market, side: 'buy', amount_usdc: '20' }
  const chosen = ['amount_usdc', 'side']
  const { refusal } = await door.call('mandate_hl_order', order, { chosen, refused: 'hub_mandate_refuses' })
  expect(refusal).toMatchObject({ kind: 'MandateStopped' })
}
