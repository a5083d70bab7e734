import { read, type Chain } from '@svc/chain'
import { usdcUnits } from '@svc/contracts/common/usdc'
import type { LegStanding } from '@svc/contracts/hl-leg/money'
import type { Context, Legs } from '#context.ts'
import { isOfFactory } from './chain-calls.ts'
import { legPages, type LegMandate } from './leg-mandates.ts'
import { openTransfer } from './open-transfer.ts'
import type { PoolStanding } from './read-transfers.ts'
import { ACTIVATION, planActivations, type Activatable } from './rules/plan-activations.ts'
import { planFunding, type Fundable, type FundingPlan } from './rules/plan-funding.ts'

interface Where {
  readonly chain: Chain
  readonly legs: Legs
}

interface Candidate {
  readonly mandate: LegMandate
  readonly fundable: Fundable
  readonly activatable: Activatable
}

/**
 * Decides on the fundings and on the accounts that are opened at the venue now, and stores them, or logs them in a dry run.
 * Returns the number stored.
 */
export async function fundLegs(
  context: Context,
  where: Where,
  pool: PoolStanding,
  signal: AbortSignal,
): Promise<number> {
  const { clock, settings } = context
  const candidates: Candidate[] = []
  for await (const { mandates, standings } of legPages(context, where.chain.id))
    for (const mandate of mandates) {
      const standing = standings.get(mandate.publicId)
      if (standing === undefined || !mandate.working) continue
      if (!(await isOfFactory(where.chain, where.legs, mandate.vault, signal))) continue
      const fundable = fundableOf(mandate, standing)
      candidates.push({
        mandate,
        fundable,
        activatable: { ...fundable, owner: standing.owner_address, asked: standing.activation_asked },
      })
    }
  const plans = planFunding(
    candidates.map(({ fundable }) => fundable),
    {
      firstMin: usdcUnits(settings.legMinUsdc),
      ownerMax: usdcUnits(settings.ownerMaxUsdc),
      allMax: usdcUnits(settings.lentMaxUsdc),
      lentToAll: usdcUnits(pool.lent_usdc),
      pool: pool.withdrawable_usdc === null ? null : usdcUnits(pool.withdrawable_usdc),
    },
    clock.now(),
  )
  let opened = 0
  for (const [at, { mandate }] of candidates.entries()) {
    if (opened >= settings.moverMax) break
    const plan = plans[at]
    if (plan !== undefined && (await decide(context, where.chain, mandate, plan, signal))) opened += 1
  }
  return opened + (await activate(context, candidates, pool))
}

/** Opens accounts that the venue does not know, so that their owners can approve the key of the leg. */
async function activate(context: Context, candidates: readonly Candidate[], pool: PoolStanding): Promise<number> {
  const { settings } = context
  const chosen = planActivations(
    candidates.map(({ activatable }) => activatable),
    {
      firstMin: usdcUnits(settings.legMinUsdc),
      pool: pool.withdrawable_usdc === null ? null : usdcUnits(pool.withdrawable_usdc),
    },
  )
  let opened = 0
  for (const publicId of chosen.slice(0, settings.moverMax))
    if (await openTransfer(context, { job: 'legMover', publicId, kind: 'activation', amount: ACTIVATION, place: null }))
      opened += 1
  return opened
}

function fundableOf(mandate: LegMandate, standing: LegStanding): Fundable {
  const left = (a: bigint, b: bigint) => (a > b ? a - b : 0n)
  return {
    publicId: mandate.publicId,
    owner: String(standing.owner_id ?? standing.owner_address),
    working: mandate.working,
    ready: standing.ready,
    openTransfers: standing.open_transfers,
    returnBegun: standing.return_begun,
    endsAt: mandate.endsAt,
    debt: usdcUnits(standing.leg_debt_usdc),
    lentToOwner: usdcUnits(standing.lent_owner_usdc),
    idle: left(mandate.accounted, mandate.held),
    room: left(mandate.legBudget, mandate.legOut),
    funded: mandate.legSeq > 0,
  }
}

async function decide(
  context: Context,
  chain: Chain,
  mandate: LegMandate,
  plan: FundingPlan,
  signal: AbortSignal,
): Promise<boolean> {
  const { publicId } = mandate
  const why = plan.amount === null ? plan.why : await missingOnChain(chain, mandate, plan.amount, signal)
  if (plan.amount === null || why !== null) {
    context.log.debug({ job: 'legMover', public_id: publicId, why }, 'leg not funded')
    return false
  }
  return openTransfer(context, { job: 'legMover', publicId, kind: 'fund', amount: plan.amount, place: mandate })
}

/**
 * Returns why the vault cannot pay an amount now, though its record says so; null if it can. The record may be older than the
 * funding before, which would then be made twice.
 */
async function missingOnChain(
  chain: Chain,
  { vault, held, legBudget }: LegMandate,
  amount: bigint,
  signal: AbortSignal,
): Promise<string | null> {
  const views = read(chain).vaultV2(vault)
  const [accounted, legOut] = await Promise.all([views.accounted({ signal }), views.legOut({ signal })])
  return accounted < held + amount || legBudget < legOut + amount ? 'record_behind' : null
}
