import { prepare, read, type RefusalKind } from '@svc/chain'
import { usdcText } from '@svc/limits'
import type { Address } from 'viem'
import { USDC } from '../vault/cast.ts'
import { printVerdict } from '../vault/verdict.ts'
import type { Scene } from './scene.ts'
import { walletCall } from './vault.ts'

/** A mandate with its vault. */
export interface Working {
  readonly scene: Scene
  /** `/hub/mandates/{public_id}` */
  readonly path: string
  readonly vault: Address
}

const SWEEP_MS = 30_000
const units = (amount: bigint) => amount * USDC

/** The call at the venue that buys for an amount. */
function buying({ stage, market }: Scene, amount: bigint) {
  const venue = stage.deployment.contracts.venue.address
  const { data } = prepare(stage.chain.id)
    .venue(venue)
    .buy({ m: market, usdcIn: units(amount), minUnits: 1n })
  return { target: venue, data, approveAmount: units(amount) }
}

type Meant = ReturnType<typeof buying>

const executePath = (path: string, { target, data, approveAmount }: Meant) =>
  `${path}/execute-call?target=${target}&data=${data}&approve_amount_usdc=${usdcText(approveAmount)}`

/** Asks for the call, has the agent's wallet send it, and reports it. */
async function act(working: Working, meant: Meant, what: string, event: object): Promise<void> {
  const { scene, path } = working
  const { call, judgement } = await scene.asAgent(executePath(path, meant), 200, {
    show: ['call', 'approval_id', 'expires_at'],
  })
  scene.walk.expect('what refuses', judgement.kind, null)
  const { hash } = await scene.stage.send(scene.agent, walletCall(call), what)
  const report = { ...event, market: 'testvenue', tx_hash: hash, occurred_at: new Date().toISOString() }
  const told = await scene.asAgent(`${path}/events`, 201, { body: report })
  scene.walk.expect('a violation', told.violation, false)
}

function buy(working: Working, amount: bigint): Promise<void> {
  const what = `vault.execute(venue.buy for ${amount} USDC)`
  return act(working, buying(working.scene, amount), what, { kind: 'buy', side: 'buy', amount_usdc: String(amount) })
}

async function sellHalf(working: Working): Promise<void> {
  const { stage, market } = working.scene
  const venue = stage.deployment.contracts.venue.address
  const held = await read(stage.chain).venue(venue).units({ arg0: working.vault, arg1: market })
  const n = held / 2n
  const [minOut] = await read(stage.chain).venue(venue).quoteSell({ m: market, n })
  const { data } = prepare(stage.chain.id).venue(venue).sell({ m: market, n, minOut })
  const meant = { target: venue, data, approveAmount: 0n }
  const event = { kind: 'sell', side: 'sell', amount_usdc: usdcText(minOut) }
  await act(working, meant, `vault.execute(venue.sell for at least ${usdcText(minOut)} USDC)`, event)
}

/** The agent accepts, buys 40 USDC worth, the price rises by a quarter, it sells half. */
export async function acceptAndTrade(working: Working): Promise<void> {
  const { scene, path } = working
  const { walk, stage, asAgent, asOwner, agentId, market, venueOwner } = scene
  walk.chapter('The agent accepts, buys and sells')
  const offers = await asAgent(`/hub/agents/${agentId}/offers`, 200)
  walk.expect('the number of offers', offers.items.length, 1)
  await asAgent(`${path}/accept`, 200, { body: {} })
  walk.say('The agent asks for each call. One that passes comes back as calldata for its own wallet.')
  await buy(working, 40n)
  const venue = prepare(stage.chain.id).venue(stage.deployment.contracts.venue.address)
  await stage.send(venueOwner, venue.setPrice({ m: market, price: units(125n) }), 'venue.setPrice(125 USDC)')
  await sellHalf(working)
  await walk.until('the use of the daily cap', SWEEP_MS, async () => {
    const { usage } = await asOwner(path, 200, { quiet: true })
    return usage.used_usdc === '40'
  })
  await asOwner(`${path}/live`, 200, {
    show: ['state', 'usage', 'worth'],
    note: 'Buying used 40 USDC of the day. Selling spends nothing.',
  })
}

/** Above the cap the API says no, the chain says no, and the record shows both. */
export async function refusedAboveTheCap(working: Working): Promise<void> {
  const { scene, path } = working
  const { walk, asAgent } = scene
  const meant = buying(scene, 90n)
  const attempted = { target: meant.target, amount_usdc: '90' }
  walk.chapter('Refused above the cap, on chain')
  const simulated = await asAgent(`${path}/simulate`, 200, {
    body: { ...attempted, data: meant.data },
    show: ['passes', 'chain'],
    note: 'The agent may ask without any effect: the rules judge the call, and the chain runs it without it being sent.',
  })
  walk.expect('the word of the chain', simulated.chain.error, 'OverPerTxCap')
  const refused = await asAgent(executePath(path, meant), 409, { show: ['code', 'detail'], note: 'Asked in earnest.' })
  walk.expect('the kind of refusal', refused.refusal.kind, 'OverPerTxCap')
  printVerdict(walk.say, refused.refusal)
  walk.say('An agent that does not listen writes the call itself. The vault refuses it.')
  const hash = await sendAnyway(working, meant, 'OverPerTxCap', 90n)
  const report = { kind: 'OverPerTxCap', attempted, tx_hash: hash, occurred_at: new Date().toISOString() }
  const told = await asAgent(`${path}/refusals`, [200, 201], {
    body: report,
    show: ['ok', 'refusal_id', 'kind', 'source', 'proof', 'already'],
    note: 'It reports the attempt, and the receipt proves it.',
  })
  if (told.already === true) walk.say('The indexer had found it in its block already; it counts once.')
  walk.expect('the refusal', { kind: told.kind, source: told.source }, { kind: 'OverPerTxCap', source: 'chain' })
}

async function sendAnyway({ scene, vault }: Working, meant: Meant, kind: RefusalKind, amount: bigint) {
  const call = prepare(scene.stage.chain.id).vault(vault).execute(meant)
  const what = `vault.execute(venue.buy for ${amount} USDC)`
  const { hash, revert } = await scene.stage.sendRefused(scene.agent, call, what)
  scene.walk.expect('the refusal of the vault', revert.refusalKind, kind)
  return hash
}

/** Above the approval amount a call waits for the owner, and its approval serves that call once. */
export async function heldForTheOwner(working: Working): Promise<void> {
  const { scene, path } = working
  const { walk, asAgent, asOwner } = scene
  walk.chapter('Held above the approval amount')
  const meant = buying(scene, 60n)
  const held = await asAgent(executePath(path, meant), 202, { show: ['code', 'approval'] })
  printVerdict(walk.say, held.judgement)
  const again = await asAgent(executePath(path, meant), 202, { quiet: true })
  walk.expect('the item when asked again', again.approval.approval_id, held.approval.approval_id)
  walk.say('Asked again, it is the same item: a retry holds nothing twice.')
  const { approval_id: id } = held.approval
  const waiting = await asOwner(`${path}/live`, 200, { show: ['usage', 'approvals_waiting'] })
  walk.expect('the headroom that is held', waiting.usage.held_usdc, '60')
  const decided = await asOwner(`${path}/approvals/${id}`, 200, { body: { decision: 'approve' }, show: ['ok'] })
  walk.expect('the item', decided.approval.status, 'approved')
  await buy(working, 60n)
  await walk.until('the approval being used up', SWEEP_MS, async () => {
    const { items } = await asOwner(`${path}/approvals?approval_id=${id}`, 200, { quiet: true })
    return items[0]?.status === 'used'
  })
  await asOwner(`${path}/approvals?status=used`, 200, { note: 'Seen on the chain, the approval is used up.' })

  walk.say(
    'Now 100 USDC of the day are used. The next attempt is reported by nobody: the indexer finds it in its block.',
  )
  await sendAnyway(working, buying(scene, 75n), 'OverDailyCap', 75n)
  const found = async () => (await asOwner(path, 200, { quiet: true })).refusals_7d.by_kind
  await walk.until('the refusal that nobody reported', SWEEP_MS, async () => (await found()).OverDailyCap === 1)
  await asOwner(`${path}/live`, 200, { show: ['usage', 'refusals_7d'] })
}

/** A small buy that must be refused, by the API alone. */
export async function refusedNow({ scene, path }: Working, kind: string, note: string): Promise<void> {
  const answer = await scene.asAgent(executePath(path, buying(scene, 10n)), 409, { show: ['code', 'detail'], note })
  scene.walk.expect('the kind of refusal', answer.refusal.kind, kind)
  printVerdict(scene.walk.say, answer.refusal)
}
