import type { Person, Stage } from '../chain-stage.ts'
import { command } from '../leg/leg-day.ts'
import { walletCall, WORKERS } from '../mandate/scene.ts'
import { giveGas, newcomer, takeFromFaucet } from '../people.ts'
import { Surprise } from '../request.ts'
import type { Walk } from '../walk.ts'
import { COIN, MARKET, PRICE_CHERRY } from './listings.ts'
import type { PublicStage } from './house.ts'

const DEPOSIT = 50
const PRICE = '3000'
/** The venue knows an account that has money; its own stays foreign to the mandate. */
const OWN_USDC = '20'

/** An owner with a mandate whose agent is the house runner. */
export interface Follower {
  readonly owner: Person
  readonly asOwner: ReturnType<Walk['as']>
  readonly publicId: string
  readonly path: string
}

/** A newcomer adopts the template for the house runner, signs and funds the mandate, and binds its leg. */
export async function adopt(scene: PublicStage, listingId: string): Promise<Follower> {
  const { walk, stage, wallets, venue, history } = scene
  walk.chapter('A newcomer adopts the template')
  await command(venue, 'mark', { coin: COIN, price: PRICE })
  const owner = newcomer('owner')
  await giveGas(stage, wallets, [owner])
  await takeFromFaucet(stage, owner)
  await command(venue, 'fund', { address: owner.wallet.address, amount: OWN_USDC })
  const asOwner = walk.as({ token: await walk.signIn(owner.wallet, 'The newcomer') })
  await asOwner(`/hub/gallery/${listingId}/adopt`, 400, {
    body: { params: { per_tx_cap_usdc: '31' }, agent: 'house' },
    show: ['code', 'errors'],
    expect: { code: 'invalid_params' },
    note: 'The bounds of the listing hold.',
  })
  const { draft, why } = await asOwner(`/hub/gallery/${listingId}/adopt`, 200, {
    body: { params: { per_tx_cap_usdc: '30' }, agent: 'house' },
    show: ['network', 'draft'],
    expect: { network: 'testnet', 'draft.budget_usdc': '50', 'draft.agent_id': history.runner.agentId },
    note: 'A draft is an answer: nothing is signed or stored yet.',
  })
  for (const { field, source, detail } of why) walk.say(`  ${field.padEnd(26)}${source.padEnd(12)}${detail}`)
  const { mandate } = await asOwner('/hub/mandates', 201, {
    body: { ...draft, markets: [MARKET], leg_budget_usdc: null },
    show: ['ok'],
    note: 'The owner tightens the draft to one market and creates the mandate from it.',
  })
  const path = `/hub/mandates/${mandate.public_id}`
  await createAndFund(stage, owner, asOwner, path)
  return { owner, asOwner, publicId: mandate.public_id, path }
}

async function createAndFund(stage: Stage, owner: Person, asOwner: Follower['asOwner'], path: string): Promise<void> {
  const terms = await asOwner(`${path}/terms`, 200, { show: ['terms_hash'] })
  const signature = await owner.wallet.signTypedData(terms.typed_data)
  await asOwner(`${path}/sign`, 200, { body: { signature, terms_hash: terms.terms_hash }, show: ['ok'] })
  const creation = await asOwner(`${path}/create-call`, 200, { quiet: true })
  const { hash } = await stage.send(owner, walletCall(creation.call), 'factory_v2.createVault(signed terms)')
  await asOwner(`${path}/vault`, 200, { body: { tx_hash: hash }, show: ['vault', 'state'] })
  const { calls } = await asOwner(`${path}/fund?amount_usdc=${DEPOSIT}`, 200, { show: ['room_usdc'] })
  await stage.send(owner, walletCall(calls.approve), `usdc.approve(vault, ${DEPOSIT} USDC)`)
  await stage.send(owner, walletCall(calls.deposit), `vault.deposit(${DEPOSIT} USDC)`)
}

/** Hires the listing: nothing is stored before the leg is bound; afterwards the mandate follows. */
export async function hire({ walk }: PublicStage, follower: Follower, listingId: string): Promise<void> {
  const { asOwner, owner, path, publicId } = follower
  walk.chapter('Hire: the house runner follows the signals')
  const body = { mandate_id: publicId }
  await asOwner(`/hub/gallery/${listingId}/hire`, 200, {
    body,
    show: ['status', 'follow_id'],
    expect: { status: 'pending_leg', follow_id: null },
    note: 'The leg is not bound yet, so nothing is stored.',
  })
  const approval = await asOwner(`${path}/hl-leg/approve-call`, 200, { show: ['agent_address', 'agent_name'] })
  const signature = await owner.wallet.signTypedData(approval.typed_data)
  await asOwner(`${path}/hl-leg/bind`, 200, {
    body: { signature, nonce: approval.nonce },
    show: ['ok'],
    expect: { 'leg.state': 'bound' },
  })
  await walk.until('the money at the venue', WORKERS, async () => {
    const { venue_estimate_usdc, moving } = await asOwner(`${path}/money`, 200, { quiet: true })
    return venue_estimate_usdc === String(DEPOSIT) && moving.length === 0
  })
  const hired = await asOwner(`/hub/gallery/${listingId}/hire`, 200, {
    body,
    show: ['status', 'follow_id'],
    expect: { status: 'following' },
  })
  await asOwner(`/hub/gallery/${listingId}/hire`, 200, {
    body,
    show: ['follow_id'],
    expect: { follow_id: hired.follow_id },
    note: 'The same hire again is the same follow.',
  })
}

/** The admin grants the owner the Cherry for a few signals. */
export async function giveCherry({ walk, house }: PublicStage, { asOwner }: Follower): Promise<void> {
  const { account_id } = await asOwner('/hub/agents/me', 200, { quiet: true })
  await walk.as({ token: await walk.signIn(house.admin, 'The admin') })('/admin/cherry/adjustments', 201, {
    body: { user_id: account_id, amount: 5 * PRICE_CHERRY, reason: 'demo' },
    show: ['ok'],
  })
}

interface Verdict {
  readonly seq: number
  readonly verdict: string
  readonly reason: string | null
  readonly gap_bps: number | null
  readonly delay_ms: number | null
}

/** Waits for the verdict on a signal, which is one for ever. */
export async function verdictOn({ walk }: PublicStage, { asOwner, publicId }: Follower, seq: number): Promise<Verdict> {
  let found: Verdict | undefined
  await walk.until(`the verdict on signal ${seq}`, WORKERS, async () => {
    const { verdicts } = await asOwner(`/hub/mandates/${publicId}/follow`, 200, { quiet: true })
    found = (verdicts as readonly Verdict[]).find((one) => one.seq === seq)
    return found !== undefined
  })
  if (found === undefined) throw new Surprise(`signal ${seq} has no verdict`)
  const { verdict, reason, gap_bps, delay_ms } = found
  walk.say(
    `Signal ${seq}: ${verdict}${reason === null ? '' : ` (${reason})`}` +
      `${gap_bps === null ? '' : `, ${delay_ms} ms later, ${gap_bps} basis points worse than the signal`}.`,
  )
  return found
}
