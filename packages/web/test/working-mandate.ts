import { readFileSync } from 'node:fs'
import { chainOf, parseDeployment, prepare, waitForReceipt, type Deployment } from '@svc/chain'
import { ask, type Answer, type Ask } from '@svc/tools/flow/client.ts'
import { registerAgent, signIn, type Agent } from '@svc/tools/flow/people.ts'
import { createWalletClient, http, parseEther, stringToHex, toHex, type Hex, type LocalAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { world } from './rig.ts'

const USDC = 1_000_000n
/** A market of the test venue for one mandate only. */
let markets = 0

/** A mandate that works, with the keys of its people. */
export interface WorkingMandate {
  readonly publicId: string
  readonly path: string
  readonly ownerKey: Hex
  readonly owner: PrivateKeyAccount
  readonly agent: Agent
  readonly vault: Hex
  /** Name of the asset that the agent buys. */
  readonly asset: string
  asOwner(path: string, options?: Ask): Promise<Answer['body']>
  asAgent(path: string, options?: Ask): Promise<Answer['body']>
  /** The agent asks for a purchase; above the approval amount it is held. Returns the answer. `minUnits` is the fewest units that it accepts. */
  askFor(usdc: bigint, minUnits?: bigint): Promise<Answer['body']>
  /** The agent sends a purchase to the vault whatever the service says, and returns the transaction. */
  send(usdc: bigint): Promise<Hex>
  /** The agent buys within the limits, and it is recorded. */
  buy(usdc: bigint): Promise<void>
}

const chain = chainOf({ rpcUrl: world.chain, id: 31_337 })
const deployment: Deployment = parseDeployment(readFileSync(world.deploymentFile, 'utf8'))

interface Call {
  readonly to: string
  readonly data: string
}

/** Sends a transaction that may revert, and waits for its block. */
async function sent(account: LocalAccount, { to, data }: Call): Promise<Hex> {
  const client = createWalletClient({ account, transport: http(world.chain) })
  const hash = await client.sendTransaction({ chain: null, to: to as Hex, data: data as Hex, gas: 1_500_000n })
  await waitForReceipt(chain, hash)
  return hash
}

const node = (method: string, params: readonly unknown[]): Promise<unknown> => chain.request(method, params)

/** Sends a call of the account that deployed the test contracts; the local node holds its key. */
async function byDeployer({ to, data }: Call): Promise<void> {
  const [from] = (await node('eth_accounts', [])) as readonly Hex[]
  await waitForReceipt(chain, (await node('eth_sendTransaction', [{ from, to, data }])) as Hex)
}

async function must(path: string, options: Ask & { readonly status?: number } = {}) {
  const { status, ...rest } = options
  const answer = await ask(world.url, path, rest)
  if (status === undefined ? answer.status >= 300 : answer.status !== status)
    throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}

const LIMITS = {
  name: 'Weekend basis',
  budget_usdc: '500',
  per_tx_cap_usdc: '80',
  daily_cap_usdc: '150',
  stop_line_usdc: '100',
  approval_above_usdc: '50',
  markets: ['testvenue'],
  fee_bps: 1_000,
} as const

/** Makes a mandate that works, by the API and the wallets of its people. */
export async function workingMandate(deposit = 400n, changed: object = {}): Promise<WorkingMandate> {
  const ownerKey = generatePrivateKey()
  const owner = privateKeyToAccount(ownerKey)
  const agent = await registerAgent(world.url, 'Basis bot')
  for (const address of [owner.address, agent.wallet.address])
    await node('anvil_setBalance', [address, toHex(parseEther('1'))])
  const usdc = deployment.contracts.usdc.address
  await sent(owner, prepare(31_337).usdc(usdc).faucet())
  const { token } = await signIn(world.url, owner)
  const asOwner = (path: string, options: Ask = {}) => must(path, { ...options, token })
  const asAgent = (path: string, options: Ask = {}) => must(path, { ...options, key: agent.key })
  const { code } = await asOwner('/hub/agents/pair-code', { body: {} })
  await asAgent('/hub/agents/pair', { body: { code } })
  const ends_at = new Date(Math.ceil(Date.now() / 1000) * 1000 + 26 * 86_400_000).toISOString()
  const body = { ...LIMITS, ends_at, agent_id: agent.id, ...changed }
  const { mandate } = await asOwner('/hub/mandates', { body })
  const publicId = mandate.public_id as string
  const path = `/hub/mandates/${publicId}`
  const terms = await asOwner(`${path}/terms`)
  const signature = await owner.signTypedData(terms.typed_data)
  await asOwner(`${path}/sign`, { body: { signature, terms_hash: terms.terms_hash } })
  const creation = await asOwner(`${path}/create-call`)
  const { vault } = await asOwner(`${path}/vault`, { body: { tx_hash: await sent(owner, creation.call) } })
  const { calls } = await asOwner(`${path}/fund?amount_usdc=${deposit}`)
  await sent(owner, calls.approve)
  await asOwner(`${path}/vault-tx`, { body: { kind: 'deposit', tx_hash: await sent(owner, calls.deposit) } })
  await asAgent(`${path}/accept`, { body: {} })
  const venue = deployment.contracts.venue.address
  markets += 1
  const asset = `web-${process.pid}-${markets}`
  const market = stringToHex(asset, { size: 32 })
  await byDeployer(
    prepare(31_337)
      .venue(venue)
      .setPrice({ m: market, price: 100n * USDC }),
  )
  const buying = (amount: bigint, minUnits = 1n) => ({
    target: venue,
    data: prepare(31_337)
      .venue(venue)
      .buy({ m: market, usdcIn: amount * USDC, minUnits }).data,
    approveAmount: amount * USDC,
  })
  const askFor = async (amount: bigint, minUnits?: bigint) => {
    const { target, data } = buying(amount, minUnits)
    const query = `target=${target}&data=${data}&approve_amount_usdc=${amount}`
    return (await ask(world.url, `${path}/execute-call?${query}`, { key: agent.key })).body
  }
  return {
    publicId,
    path,
    ownerKey,
    owner,
    agent,
    vault,
    asset,
    asOwner,
    asAgent,
    askFor,
    send: (amount) => sent(agent.wallet, prepare(31_337).vault(vault).execute(buying(amount))),
    buy: async (amount) => {
      const { call } = await askFor(amount)
      const tx_hash = await sent(agent.wallet, call)
      const occurred_at = new Date().toISOString()
      const told = { kind: 'buy', side: 'buy', amount_usdc: String(amount), market: 'testvenue', note: 'basis entry' }
      await asAgent(`${path}/events`, { body: { ...told, tx_hash, occurred_at } })
    },
  }
}
