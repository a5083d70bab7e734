import { randomBytes } from 'node:crypto'
import type { Chain } from '@svc/chain'
import { usdcUnits } from '@svc/contracts/common/usdc'
import type { LegStanding } from '@svc/contracts/hl-leg/money'
import { usdcText } from '@svc/limits'
import { RemoteRefusal } from '@svc/service'
import type { Context, Legs } from '#context.ts'
import { legPages, type LegMandate } from './leg-mandates.ts'
import type { PoolStanding } from './read-transfers.ts'
import { planFunding, type Fundable, type FundingPlan } from './rules/plan-funding.ts'

interface Where {
  readonly chain: Chain
  readonly legs: Legs
}

/** Decides on the fundings that are possible now and stores them, or logs them in a dry run. Returns the number stored. */
export async function fundLegs(context: Context, where: Where, pool: PoolStanding): Promise<number> {
  const { clock, settings } = context
  const candidates: { readonly mandate: LegMandate; readonly fundable: Fundable }[] = []
  for await (const { mandates, standings } of legPages(context, where.chain.id))
    for (const mandate of mandates) {
      const standing = standings.get(mandate.publicId)
      if (standing !== undefined) candidates.push({ mandate, fundable: fundableOf(mandate, standing) })
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
    if (plan !== undefined && (await decide(context, mandate, plan))) opened += 1
  }
  return opened
}

function fundableOf(mandate: LegMandate, standing: LegStanding): Fundable {
  const left = (a: bigint, b: bigint) => (a > b ? a - b : 0n)
  return {
    publicId: mandate.publicId,
    owner: standing.owner_address,
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

async function decide({ ask, log, settings }: Context, mandate: LegMandate, plan: FundingPlan): Promise<boolean> {
  const { publicId, vault, chainId } = mandate
  if (plan.amount === null) {
    log.debug({ job: 'legMover', public_id: publicId, why: plan.why }, 'leg not funded')
    return false
  }
  const line = {
    job: 'legMover',
    dry: settings.moverDryRun,
    do: 'fund',
    public_id: publicId,
    amount_usdc: usdcText(plan.amount),
  }
  if (settings.moverDryRun) {
    log.info(line, 'dry run: this leg would be funded')
    return false
  }
  try {
    await ask.legs.openLegTransfer({
      transfer_id: newTransferId(),
      public_id: publicId,
      kind: 'fund',
      vault,
      chain_id: chainId,
      amount_usdc: usdcText(plan.amount),
    })
  } catch (error) {
    if (!(error instanceof RemoteRefusal)) throw error
    log.warn({ ...line, err: error }, 'leg not funded: hl-leg knows more')
    return false
  }
  log.info(line, 'funding of a leg decided')
  return true
}

export const newTransferId = (): string => `ltr_${randomBytes(16).toString('hex')}`
