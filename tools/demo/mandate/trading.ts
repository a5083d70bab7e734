import { prepare, read, type RefusalKind } from '@svc/chain'
import { usdcText } from '@svc/limits'
import { USDC } from '../people.ts'
import { printVerdict } from '../verdict.ts'
import { walletCall, WORKERS, type Scene, type Working } from './scene.ts'

const units = (amount: bigint) => amount * USDC

/** Returns the call that buys at the venue for an amount of USDC. */
function buying({ stage, market }: Scene, amount: bigint) {
  const venue = stage.deployment.contracts.venue.address
  const { data } = prepare(stage.chain.id)
    .venue(venue)
    .buy({ m: market, usdcIn: units(amount), minUnits: 1n })
  return { target: venue, data, approveAmount: units(amount) }
}

type VenueCall = ReturnType<typeof buying>

const executePath = (path: string, { target, data, approveAmount }: VenueCall) =>
  `${path}/execute-call?target=${target}&data=${data}&approve_amount_usdc=${usdcText(approveAmount)}`

/** Asks for a call, sends it from the agent's wallet and reports it. */
async function act(working: Working, venueCall: VenueCall, what: string, event: object): Promise<void> {
  const { scene, path } = working
  const { call } = await scene.asAgent(executePath(path, venueCall), 200, {
    show: ['call', 'approval_id', 'expires_at'],
    expect: { 'judgement.kind': null },
  })
  const { hash } = await scene.stage.send(scene.agent, walletCall(call), what)
  const report = { ...event, market: 'testvenue', tx_hash: hash, occurred_at: new Date().toISOString() }
  await scene.asAgent(`${path}/events`, 201, { body: report, expect: { violation: false } })
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

/** The agent accepts and buys for 40 USDC; the price rises by a quarter, and the agent sells half. */
export async function acceptAndTrade(working: Working): Promise<void> {
  const { scene, path } = working
  const { walk, stage, asAgent, asOwner, agentId, market, venueOwner } = scene
  walk.chapter('The agent accepts, buys and sells')
  await asAgent(`/hub/agents/${agentId}/offers`, 200, { expect: { 'items.length': 1 } })
  await asAgent(`${path}/accept`, 200, { body: {} })
  walk.say('The agent asks for each call. A call that passes is returned as calldata for the wallet of the agent.')
  await buy(working, 40n)
  const venue = prepare(stage.chain.id).venue(stage.deployment.contracts.venue.address)
  await stage.send(venueOwner, venue.setPrice({ m: market, price: units(125n) }), 'venue.setPrice(125 USDC)')
  await sellHalf(working)
  await walk.until('the use of the daily cap', WORKERS, async () => {
    const { usage } = await asOwner(path, 200, { quiet: true })
    return usage.used_usdc === '40'
  })
  await asOwner(`${path}/live`, 200, {
    show: ['state', 'usage', 'worth'],
    note: 'Buying used 40 USDC of the daily cap. Selling uses none.',
  })
}

/** A call above the cap: the API refuses it, the chain refuses it, and the record shows both. */
export async function refusedAboveTheCap(working: Working): Promise<void> {
  const { scene, path } = working
  const { walk, asAgent } = scene
  const meant = buying(scene, 90n)
  const attempted = { target: meant.target, amount_usdc: '90' }
  walk.chapter('Refused above the cap, on chain')
  await asAgent(`${path}/simulate`, 200, {
    body: { ...attempted, data: meant.data },
    show: ['passes', 'chain'],
    expect: { 'chain.error': 'OverPerTxCap' },
    note: 'A simulation has no effect: the rules judge the call, and the chain runs it without a transaction.',
  })
  await refusedByService(working, meant, 'OverPerTxCap', 'Now the agent asks for the call itself.')
  walk.say('An agent can ignore the service and encode the call itself. The vault refuses it.')
  const hash = await sendAnyway(working, meant, 'OverPerTxCap', 90n)
  const report = { kind: 'OverPerTxCap', attempted, tx_hash: hash, occurred_at: new Date().toISOString() }
  const reported = await asAgent(`${path}/refusals`, [200, 201], {
    body: report,
    show: ['ok', 'refusal_id', 'kind', 'source', 'proof', 'already'],
    expect: { kind: 'OverPerTxCap', source: 'chain' },
    note: 'The agent reports the attempt, and the receipt proves it.',
  })
  if (reported.already === true) walk.say('The indexer had already found it in its block; it counts once.')
}

async function sendAnyway({ scene, vault }: Working, venueCall: VenueCall, kind: RefusalKind, amount: bigint) {
  const call = prepare(scene.stage.chain.id).vault(vault).execute(venueCall)
  const what = `vault.execute(venue.buy for ${amount} USDC)`
  const { hash, revert } = await scene.stage.sendRefused(scene.agent, call, what)
  scene.walk.expect('the refusal of the vault', revert.refusalKind, kind)
  return hash
}

/** A call above the approval amount waits for the owner, whose approval permits that call once. */
export async function heldForTheOwner(working: Working): Promise<void> {
  const { scene, path } = working
  const { walk, asAgent, asOwner } = scene
  walk.chapter('Held above the approval amount')
  const meant = buying(scene, 60n)
  const held = await asAgent(executePath(path, meant), 202, { show: ['code', 'approval'] })
  printVerdict(walk.say, held.judgement)
  const { approval_id: id } = held.approval
  await asAgent(executePath(path, meant), 202, { quiet: true, expect: { 'approval.approval_id': id } })
  walk.say('A retry returns the same item and holds nothing twice.')
  await asOwner(`${path}/live`, 200, { show: ['usage', 'approvals_waiting'], expect: { 'usage.held_usdc': '60' } })
  const expect = { 'approval.status': 'approved' }
  await asOwner(`${path}/approvals/${id}`, 200, { body: { decision: 'approve' }, show: ['ok'], expect })
  await buy(working, 60n)
  await walk.until('the use of the approval', WORKERS, async () => {
    const { items } = await asOwner(`${path}/approvals?approval_id=${id}`, 200, { quiet: true })
    return items[0]?.status === 'used'
  })
  await asOwner(`${path}/approvals?status=used`, 200, { note: 'The call is on the chain, so the approval is used up.' })

  walk.say('100 USDC of the daily cap are used. Nobody reports the next attempt: the indexer finds it in its block.')
  await sendAnyway(working, buying(scene, 75n), 'OverDailyCap', 75n)
  await walk.until('the refusal that nobody reported', WORKERS, async () => {
    const { refusals_7d } = await asOwner(path, 200, { quiet: true })
    return refusals_7d.by_kind.OverDailyCap === 1
  })
  await asOwner(`${path}/live`, 200, { show: ['usage', 'refusals_7d'] })
}

/** A small buy that the service must refuse. */
export function refusedNow(working: Working, kind: string, note: string): Promise<void> {
  return refusedByService(working, buying(working.scene, 10n), kind, note)
}

async function refusedByService({ scene, path }: Working, call: VenueCall, kind: string, note: string): Promise<void> {
  const { refusal } = await scene.asAgent(executePath(path, call), 409, {
    show: ['code', 'detail'],
    expect: { 'refusal.kind': kind },
    note,
  })
  printVerdict(scene.walk.say, refusal)
}
