import type { Chain } from '@svc/chain'
import type { LegTransfer } from '@svc/contracts/hl-leg/money'
import type { Job } from '@svc/service'
import type { Context, Legs } from '#context.ts'
import { actOn } from '../act-on.ts'
import { fundLegs } from '../fund-legs.ts'
import { nextActOf } from '../next-act-of.ts'
import { readTransfers } from '../read-transfers.ts'

/** Transfers whose money is at the venue without backing come first, then those that are under way longest. */
const byUrgency = (a: LegTransfer, b: LegTransfer): number =>
  Number(b.state === 'unbacked') - Number(a.state === 'unbacked') || (a.opened_at < b.opened_at ? -1 : 1)

/**
 * Moves leg money: takes the next step of every transfer, then decides on fundings. A dry run logs the steps and fundings
 * that it would take and changes nothing. With funding off, only transfers that exist go on.
 */
export const legMover =
  (context: Context): Job =>
  async (signal) => {
    const { chain, legs, settings } = context
    if (chain === null || legs === null) return { done: 0 }
    const { transfers, pool } = await readTransfers(context)
    const acted = await moveAll(context, { chain, legs }, transfers.toSorted(byUrgency), signal)
    const isOn = settings.legEnabled && settings.legFunding === 'test'
    const funded = isOn ? await fundLegs(context, { chain, legs }, pool, signal) : 0
    return { done: acted + funded, steps: acted, funded, transfers: transfers.length }
  }

async function moveAll(
  context: Context,
  where: { readonly chain: Chain; readonly legs: Legs },
  transfers: readonly LegTransfer[],
  signal: AbortSignal,
): Promise<number> {
  const { settings, log } = context
  const acted = new Set<string>()
  let done = 0
  for (const transfer of transfers) {
    if (acted.size >= settings.moverMax && !acted.has(transfer.public_id)) break
    const act = await nextActOf(context, where, transfer, signal)
    if (act === null) continue
    const line = { ...act, public_id: transfer.public_id, transfer_id: transfer.transfer_id, kind: transfer.kind }
    if (settings.moverDryRun) {
      log.info({ job: 'legMover', dry: true, ...line }, 'dry run: this step would be taken')
      continue
    }
    acted.add(transfer.public_id)
    if (await actOn(context, where, transfer, act, signal)) {
      done += 1
      log.info({ job: 'legMover', dry: false, ...line }, 'step of a transfer taken')
    }
  }
  return done
}
