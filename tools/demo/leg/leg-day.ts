import type { DevWallets } from '#dev/dev-wallets.ts'
import type { Stage } from '../chain-stage.ts'
import type { RegisteredAgent } from '../first-day.ts'
import { openScene, walletCall, WORKERS, type Scene } from '../mandate/scene.ts'
import { awayFromMidnight, newcomer } from '../people.ts'
import { printVerdict } from '../verdict.ts'
import type { Walk } from '../walk.ts'
import { addUp, type Books } from './add-up.ts'

/** The venue of a local platform, with its control plane. */
export interface LocalVenue {
  readonly url: string
  readonly token: string
}

/** A mandate with a leg, on its way through the demo. */
interface Leg {
  readonly scene: Scene
  readonly venue: LocalVenue
  readonly path: string
  readonly books: Books
}

const DEPOSIT = 400
const OWN_USDC = '250'
const COIN = 'ETH'
const PRICE = '3000'

/** Plays the life of a leg through the API, on the local chain and at the local venue. */
export async function legDay(stage: Stage, wallets: DevWallets, venue: LocalVenue): Promise<void> {
  const { walk } = stage
  await awayFromMidnight(walk)
  await atFixedPrice(venue, { coin: COIN, price: PRICE }, async () => {
    const scene = await openScene(stage, wallets, await registerAgent(walk))
    await pairWithScope(scene)
    const leg = await createMandate(scene, venue, wallets)
    await approveAndBind(leg)
    await trade(leg)
    await heldAndApproved(leg)
    await crash(leg)
    await giveBack(leg)
    await leave(leg)
  })
}

/** Pins the price of a market of the local venue while something is played, and lets it follow the others again. */
export async function atFixedPrice(
  venue: LocalVenue,
  { coin, price }: { readonly coin: string; readonly price: string },
  play: () => Promise<void>,
): Promise<void> {
  await command(venue, 'mark', { coin, price })
  try {
    await play()
  } finally {
    await command(venue, 'mark', { coin, price })
    await command(venue, 'follow', { coin })
  }
}

/** Gives a command to the control plane of the local venue. */
export async function command({ url, token }: LocalVenue, name: string, body: object): Promise<void> {
  const answer = await fetch(`${url}/_rig/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-rig-token': token },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`the venue refused ${name}: ${await answer.text()}`)
}

/** Registers a new wallet as an agent. */
export async function registerAgent(walk: Walk): Promise<RegisteredAgent> {
  walk.chapter('An agent with a wallet')
  const { wallet } = newcomer('agent')
  const wallet_address = wallet.address
  const { body: nonce } = await walk.ask('/auth/wallet/nonce', 200, {
    body: { wallet_address, purpose: 'register' },
    quiet: true,
  })
  const signature = await wallet.signMessage({ message: nonce.message })
  const { body } = await walk.ask('/auth/agent/register', 201, {
    body: { wallet_address, message: nonce.message, signature, agent_name: 'leg-demo' },
    show: ['user_id'],
  })
  return { id: body.user_id, key: body.api_key, wallet }
}

async function pairWithScope({ asOwner, asAgent, agentId }: Scene): Promise<void> {
  const { code } = await asOwner('/hub/agents/pair-code', 201, { body: {}, quiet: true })
  await asAgent('/hub/agents/pair', [200, 201], { body: { code }, show: ['ok'] })
  const { items } = await asAgent('/auth/agent/keys', 200, { quiet: true })
  await asOwner(`/hub/agents/${agentId}/keys/${items[0].key_id}/scopes`, 200, {
    body: { scopes: ['read', 'write', 'tx'] },
    note: 'Only its paired owner lets the key of the agent transact.',
  })
}

async function createMandate(scene: Scene, venue: LocalVenue, wallets: DevWallets): Promise<Leg> {
  const { walk, stage, owner, asOwner, agentId } = scene
  walk.chapter('A mandate whose agent trades at the perpetuals venue')
  await command(venue, 'fund', { address: owner.wallet.address, amount: OWN_USDC })
  walk.say(`The owner has ${OWN_USDC} USDC of their own at the venue; they stay foreign to the mandate.`)
  const { mandate } = await asOwner('/hub/mandates', 201, {
    body: {
      name: 'Leg demo',
      budget_usdc: '500',
      per_tx_cap_usdc: '100',
      daily_cap_usdc: '300',
      stop_line_usdc: '380',
      approval_above_usdc: '90',
      markets: [`hl:${COIN}`],
      hl_leg: true,
      ends_at: new Date((Math.floor(Date.now() / 1000) + 10 * 86_400) * 1000).toISOString(),
      fee_bps: 1_000,
      agent_id: agentId,
    },
    show: ['ok'],
  })
  const publicId = mandate.public_id as string
  const path = `/hub/mandates/${publicId}`
  const terms = await asOwner(`${path}/terms`, 200, { show: ['terms_hash'] })
  const signature = await owner.wallet.signTypedData(terms.typed_data)
  await asOwner(`${path}/sign`, 200, { body: { signature, terms_hash: terms.terms_hash }, show: ['ok'] })
  const creation = await asOwner(`${path}/create-call`, 200, { show: ['configured', 'factory'] })
  const { hash } = await stage.send(owner, walletCall(creation.call), 'factory_v2.createVault(signed terms)')
  const { vault } = await asOwner(`${path}/vault`, 200, { body: { tx_hash: hash }, show: ['vault', 'state'] })
  const { calls } = await asOwner(`${path}/fund?amount_usdc=${DEPOSIT}`, 200, { show: ['room_usdc'] })
  await stage.send(owner, walletCall(calls.approve), `usdc.approve(vault, ${DEPOSIT} USDC)`)
  await stage.send(owner, walletCall(calls.deposit), `vault.deposit(${DEPOSIT} USDC)`)
  const { usdc } = stage.deployment.contracts
  const books: Books = {
    chain: { rpcUrl: stage.url, usdc: usdc.address, vault },
    venue: {
      infoUrl: `${venue.url}/info`,
      owner: owner.wallet.address,
      pool: wallets.operator.address,
      dexes: ['', 'xyz'],
    },
    rows: { apiUrl: walk.baseUrl, publicId, ownerToken: scene.ownerToken },
  }
  return { scene, venue, path, books }
}

/** The owner's wallet approves the key; then the mover sends the money of the vault to the account. */
async function approveAndBind({ scene, path, books }: Leg): Promise<void> {
  const { walk, owner, asOwner } = scene
  walk.chapter('Approve the key, bind the account, fund the leg')
  const approval = await asOwner(`${path}/hl-leg/approve-call`, 200, {
    show: ['agent_address', 'agent_name', 'checks'],
  })
  const signature = await owner.wallet.signTypedData(approval.typed_data)
  await asOwner(`${path}/hl-leg/bind`, 200, {
    body: { signature, nonce: approval.nonce },
    show: ['ok'],
    expect: { 'leg.state': 'bound' },
  })
  walk.say('keeper now sends the money of the vault through the gateway and the pool to the account.')
  await walk.until('the money at the venue', WORKERS, async () => {
    const { venue_estimate_usdc, moving } = await asOwner(`${path}/money`, 200, { quiet: true })
    return venue_estimate_usdc === String(DEPOSIT) && moving.length === 0
  })
  await addUp(walk, books, 'once the leg is funded')
}

async function trade({ scene, path, books }: Leg): Promise<void> {
  const { walk, asAgent } = scene
  walk.chapter('Open a position, and what is refused')
  const order = (body: object) => ({ market: `hl:${COIN}`, side: 'buy', ...body })
  await asAgent(`${path}/hl-order`, 200, {
    body: order({ amount_usdc: '80' }),
    show: ['ok', 'order', 'usage'],
    expect: { 'order.status': 'filled' },
  })
  await addUp(walk, books, 'with a position open')
  const { refusal } = await asAgent(`${path}/hl-order`, 409, {
    body: order({ amount_usdc: '150' }),
    show: ['code', 'detail'],
    expect: { 'refusal.kind': 'OverPerTxCap' },
    note: 'An order above the cap of one call is refused, and nothing of it reaches the venue.',
  })
  printVerdict(walk.say, refusal)
}

/** An order above the approval amount waits for the owner; the same request sends it afterwards. */
async function heldAndApproved({ scene, path, books }: Leg): Promise<void> {
  const { walk, asAgent, asOwner } = scene
  walk.chapter('Held for the owner')
  const body = { market: `hl:${COIN}`, side: 'buy', amount_usdc: '98' }
  const held = await asAgent(`${path}/hl-order`, 202, { body, show: ['code'], expect: { code: 'pending_approval' } })
  await asOwner(`${path}/approvals/${held.approval.approval_id}`, 200, {
    body: { decision: 'approve' },
    show: ['ok'],
    expect: { 'approval.status': 'approved' },
  })
  await asAgent(`${path}/hl-order`, 200, {
    body,
    show: ['ok', 'order'],
    expect: { 'order.status': 'filled' },
    note: 'The same order again: the approval covers it once.',
  })
  await addUp(walk, books, 'after the approved order')
}

/** The price falls while everybody sleeps. */
async function crash({ scene, venue, path, books }: Leg): Promise<void> {
  const { walk, asOwner } = scene
  walk.chapter('A crash, and the stop line')
  await command(venue, 'mark', { coin: COIN, price: '2550' })
  walk.say(`${COIN} falls from ${PRICE} to 2550 USDC. The worker reads twice, two seconds apart, and closes.`)
  await walk.until('the stop line', WORKERS, async () => {
    const { state } = await asOwner(path, 200, { quiet: true })
    return state === 'stopped'
  })
  await walk.until('a flat account', WORKERS, async () => {
    const { positions } = await asOwner(`${path}/hl-leg`, 200, { quiet: true })
    return positions.length === 0
  })
  await asOwner(path, 200, { show: ['state', 'progress'], expect: { 'progress.state_cause': 'stopped_by_stop_line' } })
  await addUp(walk, books, 'after the stop line')
}

async function giveBack({ scene, path, books }: Leg): Promise<void> {
  const { walk, owner, asOwner } = scene
  walk.chapter('The owner returns the money of the leg')
  const call = await asOwner(`${path}/hl-leg/return-call`, 200, { body: {}, show: ['amount_usdc', 'last'] })
  const signature = await owner.wallet.signTypedData(call.typed_data)
  await asOwner(`${path}/hl-leg/return`, 200, {
    body: { nonce: call.nonce, signature },
    show: ['state', 'amount_usdc'],
  })
  await walk.until('the money in the vault', WORKERS, async () => {
    const { vault_usdc, moving } = await asOwner(`${path}/money`, 200, { quiet: true })
    return vault_usdc === call.amount_usdc && moving.length === 0
  })
  await addUp(walk, books, 'once the money is back')
}

/** Closes the vault on the chain, as any other mandate. */
async function leave({ scene, path }: Leg): Promise<void> {
  const { walk, stage, owner, asOwner } = scene
  walk.chapter('Settle, withdraw, and the statement')
  const plan = await asOwner(`${path}/close-all-plan`, 200, { show: ['idle_usdc', 'complete'] })
  for (const { action, call } of plan.steps)
    if (call !== null) await stage.send(owner, walletCall(call), `vault: ${action}`)
  await walk.until('the settlement by the keeper', WORKERS, async () => {
    const { state } = await asOwner(path, 200, { quiet: true })
    return state === 'closed'
  })
  await asOwner(`${path}/hl-leg/unbind`, 200, { body: {}, show: ['ok'], expect: { 'leg.state': 'released' } })
  await asOwner(`${path}/statement`, 200, {
    show: ['state', 'deposits_usdc', 'withdrawals_usdc', 'profit_usdc', 'violations'],
    expect: { deposits_usdc: String(DEPOSIT), violations: 0 },
  })
}
