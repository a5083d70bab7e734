import { prepare } from '@svc/chain'
import { eventually } from '@svc/testing'
import { createWalletClient, http, stringToHex, type Hex, type LocalAccount } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask, type Answer, type Ask } from './client.ts'
import { startWorld, type World } from './contract/world.ts'
import { registerAgent, signIn } from './people.ts'

let world: World
beforeAll(async () => {
  world = await startWorld({}, { chain: true })
}, 90_000)
afterAll(() => world.stop(), 60_000)

const chain = () => {
  if (world.platform.chain === null) throw new Error('the world has no chain')
  return world.platform.chain
}
async function send(account: LocalAccount, call: { to: string; data: string }): Promise<Hex> {
  const client = createWalletClient({ account, transport: http(chain().url) })
  const hash = await client.sendTransaction({
    chain: null,
    to: call.to as Hex,
    data: call.data as Hex,
    gas: 3_000_000n,
  })
  await chain().chain.client.waitForTransactionReceipt({ hash, pollingInterval: 20 })
  return hash
}
async function good(answer: Promise<Answer>): Promise<any> {
  const { status, body } = await answer
  expect(status, JSON.stringify(body)).toBeLessThan(300)
  return body
}

test('an owner drafts from a note, signs, creates and funds a vault, pauses, stops, unwinds and withdraws', async () => {
  const [ownerWallet, agentWallet] = chain().wallets.demo
  if (ownerWallet === undefined || agentWallet === undefined) throw new Error('the chain has no demo wallets')
  const [owner, agent] = await Promise.all([
    signIn(world.url, ownerWallet),
    registerAgent(world.url, 'trader', agentWallet),
  ])
  const asOwner = (path: string, more: Ask = {}) => good(ask(world.url, path, { token: owner.token, ...more }))
  const pairing = await asOwner('/hub/agents/pair-code', { body: {} })
  await good(ask(world.url, '/hub/agents/pair', { key: agent.key, body: { code: pairing.code } }))

  const note = '500 USDC for 2 weeks, at most 50 USDC per trade, stop at 100'
  const { public_id, draft } = await asOwner('/hub/mandates/draft', { body: { note, save: true } })
  expect(draft).toMatchObject({ budget_usdc: '500', per_tx_cap_usdc: '50', stop_line_usdc: '100' })
  const at = `/hub/mandates/${public_id}`
  await asOwner(`${at}/assign`, { body: { agent_id: agent.id } })
  await good(ask(world.url, `${at}/accept`, { key: agent.key, body: {} }))
  const { typed_data, terms_hash } = await asOwner(`${at}/terms`)
  const signature = await ownerWallet.signTypedData(typed_data)
  expect((await asOwner(`${at}/sign`, { body: { signature, terms_hash } })).mandate.state).toBe('signed')

  const { call } = await asOwner(`${at}/create-call`)
  const { vault } = await asOwner(`${at}/vault`, { body: { tx_hash: await send(ownerWallet, call) } })
  const { calls } = await asOwner(`${at}/fund?amount_usdc=400`)
  await send(ownerWallet, calls.approve)
  const deposit = await send(ownerWallet, calls.deposit)
  expect((await asOwner(`${at}/vault-tx`, { body: { kind: 'deposit', tx_hash: deposit } })).state).toBe('working')

  const prepared = prepare(chain().chain.id)
  const venue = chain().deployment.contracts.venue.address
  const { data } = prepared.venue(venue).buy({ m: stringToHex('BTC', { size: 32 }), usdcIn: 20_000_000n, minUnits: 0n })
  await send(agentWallet, prepared.vault(vault).execute({ target: venue, data, approveAmount: 20_000_000n }))
  // Nobody reports this one: the sweep finds it.
  await eventually(async () => expect((await asOwner(at)).usage.used_usdc).toBe('20'), { timeoutMs: 20_000 })

  const pause = await send(ownerWallet, (await asOwner(`${at}/pause-call`)).call)
  expect((await asOwner(`${at}/vault-tx`, { body: { kind: 'pause', tx_hash: pause } })).state).toBe('paused')
  await send(ownerWallet, (await asOwner(`${at}/resume-call`)).call)
  await eventually(async () => expect((await asOwner(at)).state).toBe('working'), { timeoutMs: 20_000 })

  const plan = await asOwner(`${at}/close-all-plan`)
  expect(plan.steps.map((step: { action: string }) => step.action)).toEqual(['stop', 'unwind', 'withdraw'])
  for (const step of plan.steps) await send(ownerWallet, step.call)
  await eventually(
    async () => {
      const { state, chain_state, lock } = await asOwner(at)
      expect({ state, locked: lock.locked, balance: chain_state.balance_usdc }).toEqual({
        state: 'stopped',
        locked: false,
        balance: '0',
      })
    },
    { timeoutMs: 20_000 },
  )
  await send(chain().wallets.keeper, prepared.vault(vault).settle())
  await eventually(async () => expect((await asOwner(at)).state).toBe('closed'), { timeoutMs: 20_000 })
}, 120_000)

test('drafts without a session are kept for the client by its address, 20 a day', async () => {
  const save = () => ask(world.url, '/hub/mandates/draft', { body: { note: '100 USDC', save: true } })
  for (let made = 0; made < 20; made += 1) expect((await save()).status).toBe(201)
  const over = await save()
  expect([over.status, over.body.code]).toEqual([429, 'rate_limited'])
})
