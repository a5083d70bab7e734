import { gallery } from '@svc/contracts/gallery'
import type { Job } from '@svc/service'
import type { Context } from '#context.ts'
import { activeFollows } from '#gaps/store/follows.ts'
import { endOver } from '../end-over.ts'
import { readParties } from '../read-parties.ts'

const PAGE = 500

/** Ends follows whose listing, operator, mandate or leg has ended. While a neighbour is away none of these ends is seen. */
export const endFollows =
  (context: Context): Job =>
  async (signal) => {
    const { max } = gallery.jobs.endFollows
    let done = 0
    for (let after = 0, seen = 0; seen < max && !signal.aborted;) {
      const page = await activeFollows(context.pool, after, Math.min(PAGE, max - seen))
      const facts = await readParties(
        context,
        page.map(({ mandateId }) => mandateId),
      )
      done += (await endOver(context, page, facts)).size
      seen += page.length
      const last = page.at(-1)
      if (last === undefined || page.length < PAGE) break
      after = last.seq
    }
    return { done }
  }
