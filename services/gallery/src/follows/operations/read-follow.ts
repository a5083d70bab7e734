import { ok } from '@svc/contract'
import type { gallery } from '@svc/contracts/gallery'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { newestFollowOf } from '#gaps/store/follows.ts'
import { newestVerdicts } from '#gaps/store/verdicts.ts'
import { followView, verdictView } from '../follow-view.ts'
import { mandateOfCaller } from '../read-parties.ts'

const VERDICTS_MAX = 100

export const readFollow: BoundHandler<Context, typeof gallery.operations.readFollow> =
  (context) =>
  async ({ mandate_id: mandateId }, call) => {
    await mandateOfCaller(context, mandateId, call)
    const follow = await newestFollowOf(context.pool, mandateId, null)
    if (follow === null) return ok(200, { follow: null, verdicts: [] })
    const verdicts = await newestVerdicts(context.pool, follow, VERDICTS_MAX)
    return ok(200, { follow: followView(follow), verdicts: verdicts.map(verdictView) })
  }
