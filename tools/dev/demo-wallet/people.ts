import { createHash } from 'node:crypto'
import { type Chain, waitForReceipt } from '@svc/chain'
import { createWalletClient, http, type LocalAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { request, type Credentials } from '#demo/request.ts'
import type { LocalChain } from '../chain.ts'
import type { Prepared } from '../platform.ts'

/** The demo agent with its key of the API. */
export interface AgentPerson {
  readonly id: number
  readonly key: string
  readonly wallet: LocalAccount
}

/** Asks the API by its public routes; throws unless the status is one of `wanted`. */
export type AskApi = (
  path: string,
  wanted: readonly number[],
  asked?: Credentials & { readonly body?: object },
) => Promise<{ readonly status: number; readonly body: Record<string, unknown> }>

/** Returns a way to ask the API of a platform. */
export const askApi =
  (baseUrl: string): AskApi =>
  async (path, wanted, asked = {}) => {
    const answer = await request(new URL(path, baseUrl), asked, () => {})
    if (!wanted.includes(answer.status))
      throw new Error(`${path} answered ${answer.status}: ${answer.text.slice(0, 300)}`)
    return { status: answer.status, body: Object(answer.body) as Record<string, unknown> }
  }

const FILE = 'demo-agent.json'
const NAME = 'Demo agent'
const GAS_MONEY = 10n ** 18n
const GAS_MONEY_MIN = 10n ** 17n
const MONTHS = 1
const CHERRY_PER_MONTH = 10_000

/**
 * Returns the demo agent of a data folder: registered, paired with the owner of the first demo wallet, with ether, and both
 * on Tier 1. Everything goes through public routes. Safe to repeat.
 */
export async function demoAgentOf(prepared: Prepared, chain: LocalChain, baseUrl: string): Promise<AgentPerson> {
  const ask = askApi(baseUrl)
  const { folder, secrets } = prepared.servers
  const digest = createHash('sha256').update(secrets.password('wallet-demo-agent')).digest('hex')
  const wallet = privateKeyToAccount(`0x${digest}`)
  const kept = keptAgent(folder.readJson(FILE), wallet)
  const agent = (await stillWorks(ask, kept)) ?? (await enrol(ask, wallet))
  folder.write(FILE, JSON.stringify({ id: agent.id, key: agent.key }))
  const owner = await signIn(ask, chain.wallets.demo[0])
  await pair(ask, agent, owner.token)
  const { token } = await signIn(ask, prepared.house.admin)
  await buyTier(ask, { id: agent.id, credentials: { key: agent.key } }, token)
  await buyTier(ask, { id: owner.id, credentials: { token: owner.token } }, token)
  await giveGas(chain, wallet)
  return agent
}

function keptAgent(kept: unknown, wallet: LocalAccount): AgentPerson | null {
  const { id, key } = Object(kept) as { id?: unknown; key?: unknown }
  return typeof id === 'number' && typeof key === 'string' ? { id, key, wallet } : null
}

async function stillWorks(ask: AskApi, agent: AgentPerson | null): Promise<AgentPerson | null> {
  if (agent === null) return null
  const { status } = await ask('/subscriptions/status', [200, 401], { key: agent.key })
  return status === 200 ? agent : null
}

async function proofOf(ask: AskApi, wallet: LocalAccount, purpose: 'register' | 'key' | 'session') {
  const { body } = await ask('/auth/wallet/nonce', [200], { body: { wallet_address: wallet.address, purpose } })
  const message = String(body['message'])
  return { wallet_address: wallet.address, message, signature: await wallet.signMessage({ message }) }
}

/** Registers the agent; one that is registered already gets a new key. */
async function enrol(ask: AskApi, wallet: LocalAccount): Promise<AgentPerson> {
  const body = { ...(await proofOf(ask, wallet, 'register')), agent_name: NAME }
  const made = await ask('/auth/agent/register', [201, 409], { body })
  if (made.status === 201) return { id: Number(made.body['user_id']), key: String(made.body['api_key']), wallet }
  const again = await ask('/auth/agent/keys', [201], { body: { ...(await proofOf(ask, wallet, 'key')), name: 'demo' } })
  const key = String(again.body['api_key'])
  const { body: own } = await ask('/hub/agents', [200], { key })
  const [first] = own['items'] as readonly { agent_id: number }[]
  return { id: first?.agent_id ?? 0, key, wallet }
}

async function signIn(ask: AskApi, wallet: LocalAccount): Promise<{ readonly id: number; readonly token: string }> {
  const { body } = await ask('/auth/wallet/session', [200], { body: await proofOf(ask, wallet, 'session') })
  return { id: Number(body['user_id']), token: String(body['token']) }
}

/** Pairs the agent with the demo owner, unless somebody has paired it. */
async function pair(ask: AskApi, { id, key }: AgentPerson, token: string): Promise<void> {
  const { body } = await ask(`/hub/agents/${id}`, [200], { key })
  if (body['owner'] !== null) return
  const made = await ask('/hub/agents/pair-code', [201], { token, body: {} })
  await ask('/hub/agents/pair', [200], { key, body: { code: made.body['code'] } })
}

interface Subscriber {
  readonly id: number
  readonly credentials: Credentials
}

async function buyTier(ask: AskApi, { id, credentials }: Subscriber, adminToken: string): Promise<void> {
  const { body } = await ask('/subscriptions/status', [200], credentials)
  if (body['status'] === 'active') return
  await ask('/admin/cherry/adjustments', [201], {
    token: adminToken,
    body: { user_id: id, amount: CHERRY_PER_MONTH * MONTHS, reason: 'Local platform: Tier 1 of the demo' },
  })
  await ask('/subscriptions/cherries/subscribe', [200, 201], { ...credentials, body: { tier: 1, months: MONTHS } })
}

async function giveGas({ url, chain, wallets }: LocalChain, wallet: LocalAccount): Promise<void> {
  if ((await balanceOf(chain, wallet)) >= GAS_MONEY_MIN) return
  const sponsor = createWalletClient({ account: wallets.demo[2], transport: http(url) })
  const hash = await sponsor.sendTransaction({ chain: null, to: wallet.address, value: GAS_MONEY })
  await waitForReceipt(chain, hash)
}

const balanceOf = ({ client }: Chain, { address }: LocalAccount): Promise<bigint> => client.getBalance({ address })
