import { randomUUID } from 'node:crypto'
import { prepare, waitForReceipt } from '@svc/chain'
import { toolsOf } from '@svc/mcp'
import { eventually, opened } from '@svc/testing'
import { createWalletClient, http, parseEther, stringToHex, type Hex, type LocalAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { askUntilAnswered, untilServed, type Answer, type Ask } from './client.ts'
import { startWorld } from './contract/world.ts'
import { expectTwins } from './contract/tool-calls.ts'
import * as people from './people.ts'

const world = opened(() => startWorld({}, { chain: true }))

const chain = () => world.platform.chain ?? expect.fail('the world has no chain')
const SOON = { everyMs: 200 }

/** Asks as a careful client does: what gets no answer, or 503, is asked again with the same Idempotency-Key. */
const ask = (url: string, path: string, asked: Ask) => {
  const writes = asked.body !== undefined || asked.method === 'POST'
  return askUntilAnswered([url], path, { ...(writes && { idempotencyKey: randomUUID() }), ...asked })
}
const signIn = (...given: Parameters<typeof people.signIn>) => untilServed(() => people.signIn(...given))
const registerAgent = (...given: Parameters<typeof people.registerAgent>) =>
  untilServed(() => people.registerAgent(...given))
const MARKET = stringToHex('KEEPER', { size: 32 })

async function send(account: LocalAccount, call: { to: string; data: string }): Promise<Hex> {
  const client = createWalletClient({ account, transport: http(chain().url) })
  const hash = await client.sendTransaction({
    chain: null,
    to: call.to as Hex,
    data: call.data as Hex,
    gas: 3_000_000n,
  })
  const { status } = await waitForReceipt(chain().chain, hash)
  expect(status).toBe('success')
  return hash
}
async function good(answer: Promise<Answer>): Promise<any> {
  const { status, body } = await answer
  expect(status, JSON.stringify(body)).toBeLessThan(300)
  return body
}

test('a new owner with a draft gets test ETH for gas on the local chain, and the agent of a draft does not yet', async () => {
  const wallet = privateKeyToAccount(generatePrivateKey())
  const [owner, agent] = await Promise.all([signIn(world.url, wallet), registerAgent(world.url, 'gasless')])
  const drip = (idempotencyKey?: string) =>
    ask(world.url, '/hub/gas/drip', { method: 'POST', token: owner.token, ...(idempotencyKey && { idempotencyKey }) })
  const pairing = await good(ask(world.url, '/hub/agents/pair-code', { token: owner.token, body: {} }))
  await good(ask(world.url, '/hub/agents/pair', { key: agent.key, body: { code: pairing.code } }))
  await good(ask(world.url, '/hub/mandates', { token: owner.token, body: draftOf(agent.id) }))

  const sent = await drip('first')
  expect([sent.status, sent.body]).toMatchObject([200, { status: 'sent', amount_eth: '0.002', chain_id: 31_337 }])
  await eventually(
    async () => expect(await chain().chain.client.getBalance({ address: wallet.address })).toBe(parseEther('0.002')),
    SOON,
  )
  const again = await drip('first')
  expect([again.body, again.headers.get('idempotent-replayed')]).toEqual([sent.body, 'true'])
  const soon = await drip()
  expect([soon.status, soon.body.code]).toEqual([429, 'rate_limited'])
  expect(Number(soon.headers.get('retry-after'))).toBeGreaterThan(0)
  const agents = await ask(world.url, '/hub/gas/drip', { method: 'POST', key: agent.key })
  expect([agents.status, agents.body]).toMatchObject([200, { status: 'not_eligible', reason: 'no_mandate_yet' }])
})

test('the tool hub_gas_drip answers, counts and stores the same as its route, for two owners who call once each', async () => {
  const tool = toolsOf(world.routes).find(({ name }) => name === 'hub_gas_drip')
  if (tool === undefined) throw new Error('no operation names the tool hub_gas_drip')
  const newcomer = async () => {
    const { token } = await signIn(world.url, privateKeyToAccount(generatePrivateKey()))
    await good(ask(world.url, '/hub/mandates', { token, body: draftOf() }))
    return { credential: { authorization: `Bearer ${token}` }, input: {} }
  }
  await expectTwins(world, tool, [await newcomer(), await newcomer()], {
    tables: /^keeper\.gas_(grant|drip_call)$/,
  })
})

const draftOf = (agent_id?: number) => ({
  name: 'Stop line',
  budget_usdc: '500',
  per_tx_cap_usdc: '50',
  daily_cap_usdc: '150',
  stop_line_usdc: '380',
  approval_above_usdc: null,
  markets: ['testvenue'],
  ends_at: new Date((Math.floor(Date.now() / 1000) + 10 * 86_400) * 1000).toISOString(),
  fee_bps: 1_000,
  ...(agent_id === undefined ? {} : { agent_id }),
})

test('a fall of the price to the stop line stops the vault on the chain and the mandate in the record; once it is sold and withdrawn the keeper settles it', async () => {
  const [ownerWallet, agentWallet] = chain().wallets.demo
  const calls = prepare(chain().chain.id)
  const venue = chain().deployment.contracts.venue.address
  const priceIs = (usd: bigint) =>
    send(chain().wallets.admin, calls.venue(venue).setPrice({ m: MARKET, price: usd * 1_000_000n }))
  await priceIs(100n)
  const [owner, agent] = await Promise.all([
    signIn(world.url, ownerWallet),
    registerAgent(world.url, 'trader', agentWallet),
  ])
  const asOwner = (path: string, more: Ask = {}) => good(ask(world.url, path, { token: owner.token, ...more }))
  const pairing = await asOwner('/hub/agents/pair-code', { body: {} })
  await good(ask(world.url, '/hub/agents/pair', { key: agent.key, body: { code: pairing.code } }))
  const { mandate } = await asOwner('/hub/mandates', { body: draftOf(agent.id) })
  const at = `/hub/mandates/${mandate.public_id}`
  const { typed_data, terms_hash } = await asOwner(`${at}/terms`)
  await asOwner(`${at}/sign`, { body: { signature: await ownerWallet.signTypedData(typed_data), terms_hash } })
  const created = await send(ownerWallet, (await asOwner(`${at}/create-call`)).call)
  const { vault } = await asOwner(`${at}/vault`, { body: { tx_hash: created } })
  const funding = (await asOwner(`${at}/fund?amount_usdc=400`)).calls
  await send(ownerWallet, funding.approve)
  await send(ownerWallet, funding.deposit)

  const { data } = calls.venue(venue).buy({ m: MARKET, usdcIn: 50_000_000n, minUnits: 0n })
  await send(agentWallet, calls.vault(vault).execute({ target: venue, data, approveAmount: 50_000_000n }))
  const series = async () => (await asOwner(`${at}/worth-series?window=24h`)).items
  // 50 USDC less the fee and the spread, as the venue quotes the sale of all of it.
  await eventually(async () => {
    const { worth_usdc, vault_usdc, positions_usdc, source } = (await series()).at(-1)
    expect({ vault_usdc, source }).toEqual({ vault_usdc: '350', source: 'keeper' })
    expect(Number(positions_usdc)).toBeGreaterThan(49.7)
    expect(Number(worth_usdc)).toBeCloseTo(350 + Number(positions_usdc), 6)
  }, SOON)
  await eventually(async () => expect((await asOwner(at)).state).toBe('working'), SOON)

  await priceIs(50n)
  await eventually(async () => expect((await asOwner(at)).state).toBe('stopped'), SOON)
  const { chain_state } = await asOwner(at)
  expect(chain_state).toMatchObject({ open_until_stopped: false })
  const refused = await ask(world.url, `${at}/execute-call?target=${venue}&data=${data}&approve_amount_usdc=50`, {
    key: agent.key,
  })
  expect(refused.status).toBe(409)
  const { worth } = await asOwner(`${at}/live`)
  expect(Number(worth.worth_usdc)).toBeLessThanOrEqual(380)

  for (const { call } of (await asOwner(`${at}/close-all-plan`)).steps) if (call !== null) await send(ownerWallet, call)
  await eventually(async () => expect((await asOwner(at)).state).toBe('closed'), SOON)
  await eventually(async () => expect((await series()).at(-1)?.worth_usdc).toBe('0'), SOON)
  const causes = (await asOwner(`${at}/record`)).steps.flatMap(
    (step: { body?: Record<string, unknown> }) => step.body?.['cause'] ?? [],
  )
  expect(causes).toEqual(expect.arrayContaining(['stopped_by_stop_line', 'settled_and_withdrawn']))
  const statement = await asOwner(`${at}/statement`)
  expect(statement).toMatchObject({ closing_worth_usdc: '0', deposits_usdc: '400' })
})
