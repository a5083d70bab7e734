import { ok } from '@svc/contract'
import type { hlLeg } from '@svc/contracts/hl-leg'
import { isOutage, type BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { askMode } from '#legs/ask-mode.ts'
import { busyLegs } from '#legs/busy-legs.ts'
import { isLive } from '#legs/rules/standing.ts'
import { legsById } from '#legs/store/legs.ts'
import { legStandings } from '../leg-standings.ts'

export const readLegWorths: BoundHandler<Context, typeof hlLeg.operations.readLegWorths> =
  (context) =>
  async ({ public_ids, for_mark }) => {
    const unread = for_mark === true ? await askModes(context, public_ids) : NONE
    const legs = await legStandings(context, public_ids)
    return ok(200, {
      // A mark counts no account whose mode is not known in the same step.
      legs: legs.map((leg) =>
        unread.has(leg.public_id) ? { ...leg, withheld_reason: leg.withheld_reason ?? 'leg_mode_unknown' } : leg,
      ),
    })
  }

const NONE: ReadonlySet<string> = new Set()

/** Asks for the modes of accounts with leg money or positions; returns the legs of which the venue does not answer. */
async function askModes(context: Context, publicIds: readonly string[]): Promise<ReadonlySet<string>> {
  const live = (await legsById(context.pool, publicIds)).filter(({ state }) => isLive(state))
  const busy = await busyLegs(context, live)
  const unread = await Promise.all(
    live
      .filter(({ publicId }) => busy.has(publicId))
      .map(async (leg) => {
        try {
          await askMode(context, 'worth', leg)
          return []
        } catch (error) {
          if (!isOutage(error)) throw error
          context.log.warn(
            { err: error, public_id: leg.publicId },
            'the mode of an account could not be read for a mark',
          )
          return [leg.publicId]
        }
      }),
  )
  return new Set(unread.flat())
}
