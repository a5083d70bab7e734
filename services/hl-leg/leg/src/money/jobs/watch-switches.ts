import { hlLeg } from '@svc/contracts/hl-leg'
import { emit, type Tx } from '@svc/postgres'
import { countAlarm, type Job } from '@svc/service'
import type { Context } from '#context.ts'
import { legsById } from '#legs/store/legs.ts'
import { beginOff, endOff, noteTold, toldIn } from '../store/switched-off.ts'
import { mandatesWithFundings } from '../store/transfers.ts'

/**
 * Raises the alarm `leg_money_out_while_off` while the leg or its funding is switched off and leg money is out, and has
 * each owner told once for each time that the switch is off. Stop line, transfers and returns go on by themselves.
 */
export const watchSwitches =
  (context: Context): Job =>
  async () => {
    const { pool, clock, settings, money, log } = context
    const now = clock.now()
    if (settings.legEnabled && settings.legFunding === 'test') return { done: await switchedOn(context, now) }
    const funded = await mandatesWithFundings(pool, hlLeg.jobs.watchSwitches.max)
    const out = [...(await money.withMoneyOut(pool, funded))]
    if (out.length === 0) return { done: 0 }
    const { since, told } = await pool.transaction(async (tx) => {
      const begun = await beginOff(tx, now)
      const fresh = await noteTold(tx, begun, out)
      await emitSwitched(tx, fresh, { off: true, since: begun, now })
      return { since: begun, told: fresh.length }
    })
    const alarm = 'leg_money_out_while_off'
    countAlarm(alarm, 'hl-leg')
    log.error(
      { alarm, mandates: out.length, since: since.toISOString() },
      'the leg or its funding is switched off while leg money is out',
    )
    return { done: told, out: out.length }
  }

/** Ends the time without the leg; returns the number of mandates for which that is announced. */
function switchedOn({ pool }: Context, now: Date): Promise<number> {
  return pool.transaction(async (tx) => {
    const since = await endOff(tx, now)
    if (since === null) return 0
    const told = await toldIn(tx, since)
    await emitSwitched(tx, told, { off: false, since, now })
    return told.length
  })
}

async function emitSwitched(
  tx: Tx,
  publicIds: readonly string[],
  { off, since, now }: { readonly off: boolean; readonly since: Date; readonly now: Date },
): Promise<void> {
  for (const { publicId, ownerId } of await legsById(tx, publicIds))
    await emit(tx, hlLeg.events.legSwitched, {
      public_id: publicId,
      owner_id: ownerId,
      off,
      since: since.toISOString(),
      at: now.toISOString(),
    })
}
