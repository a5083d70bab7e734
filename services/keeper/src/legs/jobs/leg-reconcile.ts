import { read, type Chain } from '@svc/chain'
import { usdcUnits } from '@svc/contracts/common/usdc'
import type { LegStanding } from '@svc/contracts/hl-leg/money'
import type { Job } from '@svc/service'
import type { Context, Legs } from '#context.ts'
import { legPages, type LegMandate } from '../leg-mandates.ts'
import { openTransfer } from '../open-transfer.ts'
import { planEnding, type Ending } from '../rules/plan-ending.ts'
import { planRefund } from '../rules/plan-refund.ts'

/**
 * Compares each leg on the chain with the gateway's books, and ends legs whose mandates are over: with nothing if nothing is
 * owed, or by the fallback after HUB_LEG_RETURN_FALLBACK_SEC. Sends foreign money back that the pool received. A dry run logs what it would open and opens nothing.
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
        for (const plan of [ending, refund]) {
          if (plan === null) continue
          const { do: kind, amount } = plan
          const { publicId, marked } = mandate
          const decision = { job: 'legReconcile', publicId, kind, amount, marked } as const
          if (await openTransfer(context, { ...decision, place: kind === 'refund' ? null : mandate })) opened += 1
        }
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

const endingOf = ({ overAt, legOpen, legOut }: LegMandate, leg: LegStanding | undefined): Ending => ({
  overAt,
  legOpen,
  legOut,
  openTransfers: leg?.open_transfers ?? 0,
  lastSent: leg?.last_sent ?? false,
  explained: leg?.explained == null ? null : { flat: leg.explained.flat, owed: usdcUnits(leg.explained.owed_usdc) },
})
