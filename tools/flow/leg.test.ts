import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventTopics, waitForReceipt } from '@svc/chain'
import { toolsOf } from '@svc/mcp'
import { eventually, openedEach } from '@svc/testing'
import { createWalletClient, http, toHex, type Hex, type LocalAccount } from 'viem'
import { expect, test } from 'vitest'
import { runShell } from '../check/run-shell.ts'
import { ask, type Answer, type Ask } from './client.ts'
import { compared, viaRoute, viaTool } from './contract/tool-calls.ts'
import { startWorld } from './contract/world.ts'
import { registerAgent, signIn, type Agent } from './people.ts'
import { returnByTool } from './return-by-tool.ts'
import { compareWithChain } from '../verify-record/on-chain.ts'
import { verifyTerms } from '../verify-record/terms.ts'
import { verifyRecord } from '../verify-record/verify.ts'

// A wallet registers once in a platform.
const world = openedEach(() =>
  startWorld(
    {
      HUB_DOOR_ENABLED: '1',
      HUB_STOP_LINE_SEC: '1',
      HUB_LEG_MOVER_SEC: '1',
      HUB_LEG_RECONCILE_SEC: '1',
      HUB_KEEPER_MARK_SEC: '1',
    },
    { chain: true, leg: true },
  ),
)
/** Blocks on the money of the leg: ten times as many as are waited for. */
const DEEP = 20
const SOON = { everyMs: 100 }
const chain = () => world.platform.chain ?? expect.fail('the world has no chain')
const venue = () => world.platform.legVenue ?? expect.fail('the world has no venue')

async function send(account: LocalAccount, call: { to: string; data: string }): Promise<Hex> {
  return (await mined(account, call)).transactionHash
}

async function mined(account: LocalAccount, call: { to: string; data: string }) {
  const client = createWalletClient({ account, transport: http(chain().url) })
  const hash = await client.sendTransaction({
    chain: null,
    to: call.to as Hex,
    data: call.data as Hex,
    gas: 3_000_000n,
  })
  const receipt = await waitForReceipt(chain().chain, hash)
  expect(receipt.status).toBe('success')
  return receipt
}

/** Asks the venue a question. */
async function info(question: object): Promise<any> {
  const headers = { 'content-type': 'application/json' }
  return (await fetch(`${venue().url}/info`, { method: 'POST', headers, body: JSON.stringify(question) })).json()
}

/** Returns the payments of a vault to its leg that are on the chain now. */
async function fundingsOf(vault: string): Promise<readonly { readonly blockNumber: Hex; readonly blockHash: Hex }[]> {
  const topics = [[...eventTopics('vaultV2', ['LegFunded'])]]
  const asked = { address: vault, fromBlock: '0x0', toBlock: 'latest', topics }
  return (await chain().chain.request('eth_getLogs', [asked])) as {
    readonly blockNumber: Hex
    readonly blockHash: Hex
  }[]
}

/** Replaces all blocks since a vault paid its leg by others, in which it did not, as a deep reorganisation does. */
async function takeFundingAway(vault: string): Promise<void> {
  const { request } = chain().chain
  const [funded] = await fundingsOf(vault)
  await request('anvil_mine', [toHex(DEEP)])
  const head = Number(await request('eth_blockNumber', []))
  await request('anvil_reorg', [head - Number(funded?.blockNumber ?? expect.fail('the leg is not funded')) + 1, []])
  // Keeper may have the vault pay again before this is read.
  const left = (await fundingsOf(vault)).map(({ blockHash }) => blockHash)
  expect(left).not.toContain(funded?.blockHash)
}

async function good(answer: Promise<Answer>): Promise<any> {
  const { status, body } = await answer
  expect(status, JSON.stringify(body)).toBeLessThan(300)
  return body
}

/** Orders by the tool and by its route with one key: they are one order, and judge alike what is too large or only rehearsed. */
async function mustTradeByTool(public_id: string, agent: Agent, token: string): Promise<void> {
  const toolOf = (name: string) => toolsOf(world.routes).find((one) => one.name === name) ?? expect.fail(name)
  const [tool, money] = ['mandate_hl_order', 'mandate_money'].map(toolOf)
  if (tool === undefined || money === undefined) return
  const asked = (more: object) => ({
    credential: { 'x-svc-user-key': agent.key },
    input: { public_id, market: 'hl:ETH', side: 'buy', ...more },
  })
  const placed = await viaTool(world, tool, asked({ amount_usdc: '25' }), 'third')
  expect(placed.content['order'], JSON.stringify(placed.content)).toMatchObject({ status: 'filled' })
  const again = await viaRoute(world, tool, asked({ amount_usdc: '25' }), 'third')
  expect(compared(again.json)).toEqual(compared(placed.content))
  for (const [more, status] of [
    [{ amount_usdc: '25', dry_run: true }, 200],
    [{ amount_usdc: '150' }, 409],
  ] as const) {
    const route = await viaRoute(world, tool, asked(more), randomUUID())
    expect(route.status, route.text).toBe(status)
    expect(compared((await viaTool(world, tool, asked(more), randomUUID())).content)).toEqual(compared(route.json))
  }
  const owner = { credential: { authorization: `Bearer ${token}` }, input: { public_id } }
  const route = await viaRoute(world, money, owner, '')
  expect(route.status).toBe(200)
  expect(Object.keys((await viaTool(world, money, owner, '')).content)).toEqual(Object.keys(route.json as object))
}

/** Verifies the receipt of an order from files, as anybody can. */
async function mustVerifyOrder(answer: object, keys: unknown): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-receipt-'))
  try {
    writeFileSync(join(folder, 'order.json'), JSON.stringify(answer))
    writeFileSync(join(folder, 'jwks.json'), JSON.stringify({ keys }))
    const words = `${folder}/order.json --jwks ${folder}/jwks.json --info ${venue().url}/info`
    expect(await runShell(`node tools/verify-order/main.ts ${words}`)).toMatch(/\d executions are at the venue/)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('a mandate trades in the account of its owner until the stop line closes it, and its money comes back to the vault', async () => {
  const [ownerWallet, agentWallet] = chain().wallets.demo
  const [owner, agent] = await Promise.all([
    signIn(world.url, ownerWallet),
    registerAgent(world.url, 'trader', agentWallet),
  ])
  const asOwner = (path: string, more: Ask = {}) => good(ask(world.url, path, { token: owner.token, ...more }))
  const asAgent = (path: string, more: Ask = {}) => ask(world.url, path, { key: agent.key, ...more })
  const pairing = await asOwner('/hub/agents/pair-code', { body: {} })
  await good(asAgent('/hub/agents/pair', { body: { code: pairing.code } }))
  const [key] = (await good(asAgent('/auth/agent/keys'))).items
  await asOwner(`/hub/agents/${agent.id}/keys/${key.key_id}/scopes`, { body: { scopes: ['read', 'write', 'tx'] } })

  // The markets of the venue are read once hl-leg has started.
  await eventually(async () => {
    const { items } = await good(asAgent('/hub/markets'))
    const found = items.find(({ market_id }: { market_id: string }) => market_id === 'hl:BTC')
    expect(found).toMatchObject({ status: 'paper', enforced_by: 'guard', exit_adapter: 'hl' })
  }, SOON)
  const body = {
    name: 'Leg',
    budget_usdc: '500',
    per_tx_cap_usdc: '100',
    daily_cap_usdc: '300',
    stop_line_usdc: '380',
    approval_above_usdc: null,
    markets: ['hl:BTC', 'hl:ETH'],
    hl_leg: true,
    ends_at: new Date((Math.floor(Date.now() / 1000) + 10 * 86_400) * 1000).toISOString(),
    fee_bps: 1_000,
    agent_id: agent.id,
  }
  const { mandate } = await asOwner('/hub/mandates', { body })
  const at = `/hub/mandates/${mandate.public_id}`
  const { typed_data, terms_hash } = await asOwner(`${at}/terms`)
  await asOwner(`${at}/sign`, { body: { signature: await ownerWallet.signTypedData(typed_data), terms_hash } })
  const created = await send(ownerWallet, (await asOwner(`${at}/create-call`)).call)
  const { vault } = await asOwner(`${at}/vault`, { body: { tx_hash: created } })
  const funding = (await asOwner(`${at}/fund?amount_usdc=400`)).calls
  await send(ownerWallet, funding.approve)
  const deposited = await mined(ownerWallet, funding.deposit)
  await eventually(async () => expect((await asOwner(at)).state).toBe('working'), SOON)

  const approval = await asOwner(`${at}/hl-leg/approve-call`)
  expect(approval.checks.filter(({ verdict }: { verdict: string }) => verdict === 'fail')).toEqual([])
  const signature = await ownerWallet.signTypedData(approval.typed_data)
  const bound = await asOwner(`${at}/hl-leg/bind`, { body: { signature, nonce: approval.nonce } })
  expect(bound.leg).toMatchObject({ state: 'bound', owner_address: ownerWallet.address, positions: [] })

  // The mover sends the vault's money to the account once the leg is bound.
  await eventually(async () => {
    const money = await asOwner(`${at}/money`)
    expect(money).toMatchObject({ vault_usdc: '0', venue_estimate_usdc: '400', foreign_usdc: '1000', moving: [] })
    expect(money.equation?.holds ?? null).not.toBe(false)
  }, SOON)

  await takeFundingAway(vault)
  // Money at the venue that the vault has not paid is `unbacked`, until keeper has the vault pay it.
  await eventually(async () => expect(await fundingsOf(vault)).toHaveLength(1), SOON)
  // The mover may still be about to tell that it saw the log missing.
  const ticks = await world.ticksOf('legMover')
  await eventually(async () => expect(await world.ticksOf('legMover')).toBeGreaterThanOrEqual(ticks + 2), SOON)
  await eventually(async () => {
    const money = await asOwner(`${at}/money`)
    expect(money).toMatchObject({ vault_usdc: '0', venue_estimate_usdc: '400', foreign_usdc: '1000', moving: [] })
  }, SOON)
  // The pool has sent once, and the money has counted once since it was paid in, or not at all.
  const ledger = await info({ type: 'userNonFundingLedgerUpdates', user: ownerWallet.address, startTime: 0 })
  expect(ledger.map(({ delta }: { delta: { type: string } }) => delta.type)).toEqual(['deposit', 'internalTransfer'])
  // A row of a replaced block is dropped, and the next mark stores another.
  await eventually(async () => {
    const { items } = await asOwner(`${at}/worth-series?window=24h`)
    const worths = items.filter((row: { block_number: number }) => row.block_number >= Number(deposited.blockNumber))
    expect(new Set(worths.map((row: { worth_usdc: string | null }) => row.worth_usdc ?? '400'))).toEqual(
      new Set(['400']),
    )
  }, SOON)

  const order = (key: string, body: object) => asAgent(`${at}/hl-order`, { body, idempotencyKey: key })
  const opened = await good(order('first', { market: 'hl:BTC', side: 'buy', amount_usdc: '95' }))
  expect(opened.order).toMatchObject({ status: 'filled' })
  const same = await good(order('first', { market: 'hl:BTC', side: 'buy', amount_usdc: '95' }))
  expect(same.order.cloid).toBe(opened.order.cloid)
  const refused = await order('large', { market: 'hl:BTC', side: 'buy', amount_usdc: '150' })
  expect([refused.status, refused.body.refusal]).toMatchObject([409, { kind: 'OverPerTxCap', clause: 2 }])
  await good(order('second', { market: 'hl:BTC', side: 'buy', amount_usdc: '95' }))
  await mustTradeByTool(mandate.public_id, agent, owner.token)

  venue().control('mark', { coin: 'BTC', price: '48000' })
  await eventually(async () => expect((await asOwner(at)).state).toBe('stopped'), SOON)
  await eventually(async () => {
    const { positions } = await asOwner(`${at}/hl-leg`)
    expect(positions).toEqual([])
  }, SOON)
  const record = await asOwner(`${at}/record`)
  expect(JSON.stringify(record)).toContain('stopped_by_stop_line')
  const { public_id } = mandate
  const amount_usdc = await returnByTool(world, { public_id, token: owner.token, wallet: ownerWallet })
  await eventually(async () => {
    const money = await asOwner(`${at}/money`)
    expect(money).toMatchObject({ vault_usdc: amount_usdc, venue_estimate_usdc: '0', moving: [] })
  }, SOON)
  const { keys } = await good(ask(world.url, '/.well-known/jwks.json'))
  await mustVerifyOrder(opened, keys)
  const exported = await fetch(`${world.url}${at}/record/export`, {
    headers: { authorization: `Bearer ${owner.token}` },
  })
  const verified = verifyRecord([await exported.text()], keys)
  const kinds = verified.entries.map(({ kind }) => kind)
  expect(kinds.filter((kind) => kind === 'leg_order').length).toBeGreaterThanOrEqual(3)
  const terms = await good(ask(world.url, `${at}/terms`, { token: owner.token }))
  verifyTerms(verified.head.mandate, verified.terms.at(-1), JSON.stringify(terms))
  expect(await compareWithChain(verified, chain().chain)).toMatchObject({ refused: 0 })
  const late = await order('late', { market: 'hl:BTC', side: 'buy', amount_usdc: '50' })
  expect([late.status, late.body.refusal?.kind]).toEqual([409, 'MandateStopped'])
})
