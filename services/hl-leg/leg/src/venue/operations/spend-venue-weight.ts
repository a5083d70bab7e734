import { ok, refuse } from '@svc/contract'
import { common } from '@svc/contracts'
import type { hlLeg } from '@svc/contracts/hl-leg'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { countWeights } from '../counted-weights.ts'
import { maySpend } from '@svc/venue/rules/weights'

/** Spends weight of a network address for another process behind it. */
export const spendVenueWeight: BoundHandler<Context, typeof hlLeg.operations.spendVenueWeight> =
  (context) =>
  async ({ egress, class: by, weight, at_most, asked }, { from }) => {
    if (!maySpend(from, by)) refuse(common.invalidRequest, `${from} may not spend the weight of ${by}.`)
    const weights = countWeights(context, { name: egress, minuteMax: context.settings.venueWeightMinute })
    if (asked) {
      await weights.add(by, weight)
      return ok(200, { retry_at: null })
    }
    const retryAt = await weights.spend(by, Math.max(1, weight), at_most)
    return ok(200, { retry_at: retryAt?.toISOString() ?? null })
  }
