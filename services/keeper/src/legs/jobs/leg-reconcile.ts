import { read, type Chain } from '@svc/chain'
import { usdcUnits } from '@svc/contracts/common/usdc'
import type { LegStanding } from '@svc/contracts/hl-leg/money'
import { usdcText } from '@svc/limits'
import { RemoteRefusal, type Job } from '@svc/service'
import type { Context, Legs } from '#context.ts'
import { newTransferId } from '../fund-legs.ts'
import { legPages, type LegMandate } from '../leg-mandates.ts'
import { planEnding, type Ending, type EndingPlan } from '../rules/plan-ending.ts'
import { planRefund, type Refund } from '../rules/plan-refund.ts'

/**
 * Compares each leg on the chain with the gateway's books, and ends legs whose mandates are over: with nothing if nothing is
 * left, or by the fallback after HUB_LEG_RETURN_FALLBACK_SEC. Sends foreign money back that the pool received. A dry run logs what it would open and opens nothing.
 */
export const legReconcile =
  (context: Context): Job =>
  async (signal) => {
    const { chain, legs } = context
    if (chain === null || legs === null) return { done: 0 }
    let [opened, differing, seen] = [0, 0, 0]
    for await (const { mandates, standings } of legPages(context, chain.id))
      for (const mandate of mandates) {
        seen += 1
        if (!(await agrees(context, { chain, legs }, mandate, signal))) differing += 1
        const standing = standings.get(mandate.publicId)
        const { settings, clock } = context
        const ending = planEnding(endingOf(mandate, standing), settings.returnFallbackSec, clock.now())
        const refund = planRefund(usdcUnits(standing?.refundable_usdc ?? '0'))
        for (const plan of [ending, refund]) if (plan !== null && (await open(context, mandate, plan))) opened += 1
      }
    return { done: opened, opened, differing, legs: seen }
  }

/** Returns whether vault and gateway agree on what is out; a difference is an alarm, because it explains no money. */
async function agrees(
  { log }: Context,
  { chain, legs }: { readonly chain: Chain; readonly legs: Legs },
  { publicId, vault }: LegMandate,
  signal: AbortSignal,
): Promise<boolean> {
  const [out, outstanding] = await Promise.all([
    read(chain).vaultV2(vault).legOut({ signal }),
    read(chain).legGateway(legs.contracts.gateway).outstanding({ arg0: vault }, { signal }),
  ])
  if (out === outstanding) return true
  log.error(
    { alarm: 'leg_unexplained', public_id: publicId, leg_out: String(out), outstanding: String(outstanding) },
    'vault and gateway disagree on the money that is at the leg',
  )
  return false
}

const signedUnits = (text: string | null): bigint | null =>
  text === null ? null : text.startsWith('-') ? -usdcUnits(text.slice(1)) : usdcUnits(text)

const endingOf = ({ overAt, legOpen }: LegMandate, leg: LegStanding | undefined): Ending => ({
  overAt,
  legOpen,
  openTransfers: leg?.open_transfers ?? 0,
  lastSent: leg?.last_sent ?? false,
  isSound: leg?.withheld_reason === null && leg.read_at !== null,
  flat: leg?.flat ?? null,
  withdrawable: signedUnits(leg?.withdrawable_usdc ?? null),
  value: signedUnits(leg?.value_usdc ?? null),
  foreign: signedUnits(leg?.foreign_usdc ?? null),
})

async function open(
  { ask, log, settings }: Context,
  { publicId, vault, chainId }: LegMandate,
  plan: EndingPlan | Refund,
): Promise<boolean> {
  const dry = settings.reconcileDryRun
  const line = { job: 'legReconcile', dry, do: plan.do, public_id: publicId, amount_usdc: usdcText(plan.amount) }
  if (dry) {
    log.info(line, 'dry run: this transfer would be opened')
    return false
  }
  try {
    await ask.legs.openLegTransfer({
      transfer_id: newTransferId(),
      public_id: publicId,
      kind: plan.do,
      vault: plan.do === 'refund' ? null : vault,
      chain_id: plan.do === 'refund' ? null : chainId,
      amount_usdc: usdcText(plan.amount),
    })
  } catch (error) {
    if (!(error instanceof RemoteRefusal)) throw error
    log.warn({ ...line, err: error }, 'transfer not opened: hl-leg knows more')
    return false
  }
  log.info(line, 'transfer of leg money decided')
  return true
}
