import { setTimeout as delay } from 'node:timers/promises'
import { waitForReceipt } from '@svc/chain'
import type { LocalChain } from '@svc/tools/dev/chain.ts'
import { ask, type Answer } from '@svc/tools/flow/client.ts'
import { registerAgent, signIn, type Agent } from '@svc/tools/flow/people.ts'
import { createWalletClient, encodeFunctionData, http, parseAbi, toHex, type Hex, type LocalAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

/** A mandate whose agent may trade in its owner's venue account. */
export interface LegMandate {
  readonly publicId: string
  readonly owner: LocalAccount
  order(key: string, body: object): Promise<Answer>
}

interface Place {
  readonly url: string
  readonly chain: LocalChain
  /** Funds an account at the venue. */
  readonly fund: (address: string, usdc: string) => void
}

const ETHER = 10n ** 18n
/** USDC that an owner pays into the vault. */
const DEPOSIT_USDC = '100'

async function good(answer: Promise<Answer>): Promise<Answer['body']> {
  const { status, body } = await answer
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body
}

/** Registers the agent of all mandates, with the right to trade. */
export async function openAgent({ url }: Place): Promise<Agent> {
  const wallet = privateKeyToAccount(generatePrivateKey())
  const [owner, agent] = await Promise.all([
    signIn(url, privateKeyToAccount(generatePrivateKey())),
    registerAgent(url, 'bench', wallet),
  ])
  const { code } = await good(ask(url, '/hub/agents/pair-code', { token: owner.token, body: {} }))
  await good(ask(url, '/hub/agents/pair', { key: agent.key, body: { code } }))
  const { items } = await good(ask(url, '/auth/agent/keys', { key: agent.key }))
  const body = { scopes: ['read', 'write', 'tx'] }
  await good(ask(url, `/hub/agents/${agent.id}/keys/${items[0].key_id}/scopes`, { token: owner.token, body }))
  return agent
}

/** Takes a new owner from the first sign-in to a bound leg, over the public API and the chain. */
export async function openLegMandate(place: Place, agent: Agent): Promise<LegMandate> {
  const { url, chain, fund } = place
  const owner = privateKeyToAccount(generatePrivateKey())
  const { token } = await signIn(url, owner)
  const asOwner = (path: string, body?: object) =>
    good(ask(url, path, { token, ...(body === undefined ? {} : { body }) }))
  const send = async (call: { to: string; data: string }): Promise<Hex> => {
    const client = createWalletClient({ account: owner, transport: http(chain.url) })
    const hash = await client.sendTransaction({
      chain: null,
      to: call.to as Hex,
      data: call.data as Hex,
      gas: 3_000_000n,
    })
    await waitForReceipt(chain.chain, hash)
    return hash
  }
  await prepareWallet(place, owner, send)
  const { mandate } = await asOwner('/hub/mandates', {
    name: 'Bench',
    budget_usdc: '10000',
    per_tx_cap_usdc: '1000',
    daily_cap_usdc: '10000',
    stop_line_usdc: '80',
    approval_above_usdc: null,
    markets: ['testvenue', 'hl:BTC', 'hl:xyz:TSLA'],
    hl_leg: true,
    ends_at: new Date((Math.floor(Date.now() / 1000) + 10 * 86_400) * 1000).toISOString(),
    fee_bps: 0,
    agent_id: agent.id,
  })
  const at = `/hub/mandates/${mandate.public_id}`
  const { typed_data, terms_hash } = await asOwner(`${at}/terms`)
  await asOwner(`${at}/sign`, { signature: await owner.signTypedData(typed_data), terms_hash })
  await asOwner(`${at}/vault`, { tx_hash: await send((await asOwner(`${at}/create-call`)).call) })
  const { calls } = await asOwner(`${at}/fund?amount_usdc=${DEPOSIT_USDC}`)
  await send(calls.approve)
  const deposited = await send(calls.deposit)
  await asOwner(`${at}/vault-tx`, { kind: 'deposit', tx_hash: deposited })
  fund(owner.address, '1000')
  const approval = await asOwner(`${at}/hl-leg/approve-call`)
  const signature = await owner.signTypedData(approval.typed_data)
  await asOwner(`${at}/hl-leg/bind`, { signature, nonce: approval.nonce })
  // Nothing is opened before the first mark: nothing would show that the order stays above the stop line.
  while (!(await asOwner(`${at}/worth-series`)).items.some((row: { worth_usdc: unknown }) => row.worth_usdc !== null))
    await delay(200)
  return {
    publicId: mandate.public_id,
    owner,
    order: (key, body) => ask(url, `${at}/hl-order`, { key: agent.key, idempotencyKey: key, body }),
  }
}

/** Gives a wallet test ETH and the test USDC of the faucet. */
async function prepareWallet(
  { chain }: Place,
  { address }: LocalAccount,
  send: (call: { to: string; data: string }) => Promise<Hex>,
): Promise<void> {
  await chain.chain.request('anvil_setBalance', [address, toHex(ETHER)])
  const data = encodeFunctionData({ abi: parseAbi(['function faucet()']), functionName: 'faucet' })
  await send({ to: chain.deployment.contracts.usdc.address, data })
}
