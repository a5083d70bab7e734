import { RefusalError } from '@svc/contract'
import { venueBudget } from '@svc/contracts/hl-leg/refusals'
import { isOutage, type Job } from '@svc/service'
import type { Context } from '#context.ts'
import { orderKeyAccount } from '../order-keys.ts'
import { enabledLinks, linksToSurvey, lockLink, moveKey } from '../store/own-accounts.ts'
import { forgetOffers } from '../store/offers.ts'
import { surveyLink } from '../survey-link.ts'

/** Accounts that one tick examines: each costs 60 of the weight that the venue allows. */
const SURVEYED_MAX = 20
/** An account is examined so often, and at once after the venue refused its key. */
const SURVEY_MS = 30 * 60_000
const OFFERS_KEPT_MS = 86_400_000
const PAGE = 500

/**
 * Examines linked accounts that are due: a key that was revoked, replaced or has expired, a mode that changed, the
 * builder fee. Marks keys that the seed does not derive any more, without asking the venue.
 */
export const watchOrderKeys =
  (context: Context): Job =>
  async (signal) => {
    const { pool, clock, venue, log } = context
    const now = clock.now()
    await forgetOffers(pool, new Date(now.getTime() - OFFERS_KEPT_MS))
    let changed = await endOrphans(context)
    let surveyed = 0
    let failed = 0
    const due = await linksToSurvey(pool, venue.network, new Date(now.getTime() - SURVEY_MS), SURVEYED_MAX)
    for (const link of due) {
      if (signal.aborted) break
      try {
        const found = await surveyLink(context, 'relays', link)
        if (found !== null && found.keyState !== link.keyState) changed += 1
        surveyed += 1
      } catch (error) {
        if (!isOutage(error)) throw error
        // Every further account would be refused as well; the next tick goes on with them.
        if (error instanceof RefusalError && error.refusal.code === venueBudget.code) break
        failed += 1
        log.warn({ link_id: link.linkId, err: error }, 'an account could not be examined; tried again')
      }
    }
    return { done: changed, surveyed, failed }
  }

/** Marks enabled keys that the seed does not derive; returns how many there were. */
async function endOrphans({ pool, venue, seed }: Context): Promise<number> {
  let ended = 0
  for (let after = ''; ;) {
    const page = await enabledLinks(pool, venue.network, after, PAGE)
    for (const { linkId } of page.filter((link) => orderKeyAccount(seed, link) === null)) {
      ended += await pool.transaction(async (tx) => {
        const locked = await lockLink(tx, linkId)
        if (locked?.keyState !== 'enabled' || orderKeyAccount(seed, locked) !== null) return 0
        await moveKey(tx, linkId, 'orphaned')
        return 1
      })
    }
    const last = page.at(-1)
    if (page.length < PAGE || last === undefined) return ended
    after = last.linkId
  }
}
