import { randomBytes } from 'node:crypto'
import { refuse, type InputOf } from '@svc/contract'
import { common } from '@svc/contracts'
import type { mandates } from '@svc/contracts/mandates'
import type { LegMandate } from '@svc/contracts/mandates/leg'
import { unknownMandate } from '@svc/contracts/mandates/refusals'
import type { MandateUsage } from '@svc/contracts/mandates/usage'
import type { RefusalBlockView } from '@svc/contracts/mandates/verdict'
import { approveAgent, seedFingerprint, typedDataOf } from '@svc/hyperliquid'
import { deriveAccount, parseSeed } from '@svc/hyperliquid/signing'
import { sql } from '@svc/postgres'
import { agent, owner, ownerWallet, SEED, startRig, type Rig, type RigOptions } from '../rig.ts'

type Judged = InputOf<typeof mandates.operations.judgeLegOrder>
type Asked = InputOf<typeof mandates.operations.readLegMandate>
type Resolved = InputOf<typeof mandates.operations.resolveLegOrder>

/** mandates as far as orders need it: reserves once a key, and ends a reservation once. */
export interface Books {
  readonly judged: Judged[]
  /** Open reservations, USDC, by mandate and key. */
  readonly reserved: Map<string, string>
  /** First end of each order, by mandate and key. */
  readonly ended: Map<string, Resolved>
  /** Says what a judgement is; without it an order passes unless a guard forbids it. */
  verdict: ((order: Judged) => 'passes' | 'held' | 'refused' | 'too_many') | null
  /** Happens before a judgement or an end is written. */
  before: ((operation: 'judge' | 'resolve') => Promise<void> | void) | null
  /** Happens after a judgement is written, before it is answered. */
  after: (() => Promise<void> | void) | null
}

/** A mandate with a bound leg and money in its owner's account. */
export interface TestLeg {
  readonly publicId: string
  readonly ownerId: number
  readonly agentId: number
  readonly account: string
}

type VenueAccount = Rig['venue']['state']['accounts'][string]

/** The rig with mandates' books. */
export interface BookedRig extends Rig {
  readonly books: Books
  /** Signed size of a position at the venue. */
  positionOf(leg: TestLeg, coin: string): string
  accountOf(leg: TestLeg): VenueAccount
}

/** The rig with mandates' books, and legs that may trade. */
export interface OrderRig extends BookedRig {
  readonly legs: Map<string, LegMandate>
  newLeg(options?: { readonly usdc?: string; readonly state?: string; readonly dailyCap?: string }): Promise<TestLeg>
}

const PASSES: RefusalBlockView = {
  kind: null,
  code: null,
  clause: null,
  source: 'server',
  limit: null,
  attempted: null,
  remaining: null,
  unit: null,
  fix: null,
  verdicts: [],
  max_passing_amount_usdc: '50',
  resets_at: null,
}
export const USAGE: MandateUsage = {
  day: '2026-11-22',
  used_usdc: '0',
  leg_used_usdc: '0',
  reserved_usdc: '0',
  held_usdc: '0',
  left_usdc: '100',
  resets_at: '2026-11-23T00:00:00.000Z',
}
export const TERMS_HASH = `0x${'ab'.repeat(32)}`

export async function startOrderRig(
  environment: Record<string, string> = {},
  options: Omit<RigOptions, 'environment'> = {},
): Promise<OrderRig> {
  const rig = withBooks(await startRig({ environment, ...options }))
  const legs = new Map<string, LegMandate>()
  answerFor(rig, legs)
  let made = 100
  const newLeg: OrderRig['newLeg'] = async ({ usdc = '1000', state = 'bound', dailyCap = '150' } = {}) => {
    const ownerId = ++made
    const agentId = ++made
    const publicId = `mdt_${randomBytes(16).toString('hex')}`
    const wallet = ownerWallet(ownerId)
    const account = wallet.address.toLowerCase()
    const seed = parseSeed(SEED) ?? expectSeed()
    const key = deriveAccount(seed, 'svc/hl-leg/v1', publicId, 0)
    rig.venue.control('fund', { address: account, amount: usdc })
    await approve(rig, wallet, key.address)
    const now = rig.clock.now().toISOString()
    await rig.pool.query(sql.unsafe`
      INSERT INTO leg (public_id, network, owner_id, owner_address, state, state_at, epoch, agent_address,
        seed_fingerprint, bound_at)
      VALUES (${publicId}, 'testnet', ${ownerId}, ${account}, ${state}, ${now}, 0, ${key.address.toLowerCase()},
        ${seedFingerprint(seed)}, ${now})`)
    const leg = { publicId, ownerId, agentId, account }
    legs.set(publicId, mandateOf(leg, wallet.address, dailyCap))
    return leg
  }
  return Object.defineProperties(rig, Object.getOwnPropertyDescriptors({ legs, newLeg })) as OrderRig
}

/** Adds mandates' books to a rig, which judge and end the orders of every mandate. */
export function withBooks(rig: Rig): BookedRig {
  const books: Books = { judged: [], reserved: new Map(), ended: new Map(), verdict: null, before: null, after: null }
  answerByBooks(rig, books)
  const accountOf = (leg: TestLeg) => rig.venue.state.accounts[leg.account] as VenueAccount
  const dexOf = (coin: string) => (coin.includes(':') ? (coin.split(':')[0] ?? '') : '')
  const positionOf = (leg: TestLeg, coin: string) => accountOf(leg).dexes[dexOf(coin)]?.positions[coin]?.size ?? '0'
  // The rig has members that are read at each use, so it is not copied.
  return Object.defineProperties(rig, Object.getOwnPropertyDescriptors({ books, positionOf, accountOf })) as BookedRig
}

function expectSeed(): never {
  throw new Error('the seed of the tests is wrong')
}

function answerFor({ mandates: { answers } }: Rig, legs: Map<string, LegMandate>): void {
  answers['readLegMandate'] = ({ public_id, account_id, as }: Asked) => {
    const mandate = legs.get(public_id)
    if (mandate === undefined || account_id !== (as === 'owner' ? mandate.owner_id : mandate.agent_id))
      refuse(unknownMandate)
    return { mandate }
  }
}

function answerByBooks({ mandates: { answers } }: Rig, books: Books): void {
  answers['judgeLegOrder'] = async (order: Judged) => {
    books.judged.push(order)
    await books.before?.('judge')
    const outcome = books.verdict?.(order) ?? (order.guards.length > 0 ? 'refused' : 'passes')
    if (outcome === 'too_many') refuse(common.rateLimited)
    const reserves = outcome === 'passes' && order.opening && !order.dry_run
    if (reserves && !books.ended.has(nameOf(order))) books.reserved.set(nameOf(order), order.notional_usdc)
    await books.after?.()
    const approval = outcome === 'held' ? heldItem(order) : null
    const judgement = outcome === 'refused' ? refused(order) : PASSES
    return { outcome, judgement, approval, usage: USAGE, terms_hash: TERMS_HASH }
  }
  answers['resolveLegOrder'] = async (end: Resolved) => {
    await books.before?.('resolve')
    if (!books.ended.has(nameOf(end))) books.ended.set(nameOf(end), end)
    books.reserved.delete(nameOf(end))
    return { ok: true, usage: USAGE }
  }
}

export const nameOf = (order: { readonly public_id: string; readonly order_key: string }) =>
  `${order.public_id} ${order.order_key}`

function refused({ guards }: Judged): RefusalBlockView {
  const [guard] = guards
  const { code = 'over_per_tx_cap', fix = 'Ask for less.', limit = null, attempted = null } = guard ?? {}
  return { ...PASSES, kind: 'server_guard', code, fix, limit, attempted }
}

const heldItem = ({ public_id, request, notional_usdc }: Judged) => ({
  approval_id: `apr_${'0'.repeat(32)}`,
  public_id,
  status: 'pending',
  kind: 'leg_order',
  target: `0x${'0'.repeat(40)}`,
  data: '0x',
  order: request,
  amount_usdc: notional_usdc,
  judgement: PASSES,
  call_hash: `0x${'cd'.repeat(32)}`,
  reason: null,
  requested_at: '2026-11-22T10:00:00.000Z',
  expires_at: '2026-11-23T10:00:00.000Z',
  decided_at: null,
  used_tx_hash: null,
})

async function approve(rig: Rig, wallet: ReturnType<typeof ownerWallet>, agentAddress: `0x${string}`): Promise<void> {
  const nonce = rig.clock.now().getTime()
  const scope = { network: 'testnet', signatureChainId: 31_337, nonce } as const
  const action = approveAgent(scope, { address: agentAddress, name: 'svc-leg', validUntilMs: nonce + 90 * 86_400_000 })
  const signature = await wallet.signTypedData(typedDataOf(action) as Parameters<typeof wallet.signTypedData>[0])
  const v = Number.parseInt(signature.slice(130), 16)
  const body = { action, nonce, signature: { r: signature.slice(0, 66), s: `0x${signature.slice(66, 130)}`, v } }
  const answer = await fetch(`${rig.venue.url}/exchange`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const said = (await answer.json()) as { status: string }
  if (said.status !== 'ok') throw new Error(JSON.stringify(said))
}

function mandateOf({ publicId, ownerId, agentId }: TestLeg, wallet: string, dailyCap: string): LegMandate {
  return {
    public_id: publicId,
    name: 'test',
    state: 'working',
    owner_id: ownerId,
    owner_wallet: wallet,
    agent_id: agentId,
    limits: {
      budget_usdc: '500',
      per_tx_cap_usdc: '50',
      daily_cap_usdc: dailyCap,
      stop_line_usdc: '0',
      approval_above_usdc: null,
      markets: ['hl:BTC', 'hl:xyz:TSLA'],
      ends_at: '2026-12-22T10:00:00.000Z',
      fee_bps: 1_000,
      hl_leg: true,
      leg_budget_usdc: '500',
      close_if_silent_minutes: null,
      public_proof: false,
    },
    markets: [{ market_id: 'hl:BTC', status: 'paper' }],
    terms_hash: TERMS_HASH,
    ends_at: '2026-12-22T10:00:00.000Z',
    stop_cause: null,
    stopped_at: null,
    agent_acted_at: null,
    vault: {
      address: `0x${'55'.repeat(20)}`,
      chain_id: 31_337,
      version: 2,
      accounted_usdc: '100',
      leg_out_usdc: '0',
      leg_open: false,
      vault_worth_usdc: '100',
      worth_at: null,
    },
  }
}

const keyed = (key: string | undefined) => (key === undefined ? {} : { idempotencyKey: key })
export const asAgent = (rig: Pick<Rig, 'as'>, leg: TestLeg, key?: string) => rig.as(agent(leg.agentId), keyed(key))
export const asOwner = (rig: Pick<Rig, 'as'>, leg: TestLeg, key?: string) => rig.as(owner(leg.ownerId), keyed(key))
