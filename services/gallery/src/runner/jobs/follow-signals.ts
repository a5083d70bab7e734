import { gallery } from '@svc/contracts/gallery'
import { isOutage, type Job } from '@svc/service'
import { endOver } from '#follows/end-over.ts'
import { readParties, type PartyFacts } from '#follows/read-parties.ts'
import type { Context } from '#context.ts'
import { undecidedFollows, type Follow } from '#gaps/store/follows.ts'
import { ordersOutside } from '../carry-out.ts'
import { followDry } from '../follow-dry.ts'
import { followLive, type Run } from '../follow-live.ts'
import { followsWithOrders } from '../store/follow-orders.ts'

const PAGE = 1_000
/** Follows that a live run looks after side by side. */
const SIDE_BY_SIDE = 8
/** What is known of mandates and legs serves a run so long. */
const FACTS_MS = 5_000

/**
 * Brings each signal of each follow to its verdict: a dry run in batches, a live run with orders through the public API. A
 * run ends when nothing is left but what waits, for an order or for another service.
 */
export const followSignals =
  (context: Context): Job =>
  async (signal) => {
    const { settings, clock } = context
    if (settings.houseRunnerId === null) return { done: 0 }
    await ordersOutside(context).sweep()
    const { max } = gallery.jobs.followSignals
    const known = newFacts(context)
    let done = 0
    while (done < max && !signal.aborted) {
      const round = await passOver(context, settings.houseRunnerId, known, signal)
      done += round
      if (round === 0) return { done, dry: settings.houseFollowDryRun ? 1 : 0 }
    }
    return { done, nextAt: clock.now() }
  }

/** Looks once after each follow with an undecided signal; returns how many verdicts were stored. */
async function passOver(context: Context, agentId: number, known: Facts, signal: AbortSignal): Promise<number> {
  let done = 0
  for (let after = 0; !signal.aborted;) {
    const page = await undecidedFollows(context.pool, agentId, after, PAGE)
    done += await decidePage(context, page, known, signal)
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) break
    after = last.seq
  }
  return done
}

async function decidePage(
  context: Context,
  page: readonly Follow[],
  known: Facts,
  signal: AbortSignal,
): Promise<number> {
  if (page.length === 0) return 0
  const facts = await known.of(page)
  const over = await endOver(context, page, facts)
  // A follow that has just ended is looked at by the next pass, as it is then.
  const follows = page.filter(({ id }) => !over.has(id))
  const live = !context.settings.houseFollowDryRun
  const ordered = live
    ? null
    : await followsWithOrders(
        context.pool,
        follows.map(({ id }) => id),
      )
  const oneByOne = ordered === null ? follows : follows.filter(({ id }) => ordered.has(id))
  const others = ordered === null ? [] : follows.filter(({ id }) => !ordered.has(id))
  let done = over.size + (await followDry(context, others, facts))
  for (let from = 0; from < oneByOne.length && !signal.aborted; from += SIDE_BY_SIDE) {
    const some = oneByOne.slice(from, from + SIDE_BY_SIDE)
    const ended = await Promise.allSettled(some.map((follow) => oneLive(context, { follow, facts, live, signal })))
    for (const one of ended) {
      if (one.status === 'rejected') throw one.reason
      done += one.value
    }
  }
  return done
}

/** A follow whose next signal needs a service that is away waits, and the others go on. */
async function oneLive(context: Context, run: Run): Promise<number> {
  try {
    return await followLive(context, run)
  } catch (error) {
    if (!isOutage(error)) throw error
    context.log.warn({ err: error, follow_id: run.follow.id }, 'a follow waits: a service or Postgres did not answer')
    return 0
  }
}

/** Mandates and legs of follows, as they were at most a few seconds ago. */
interface Facts {
  of(follows: readonly Follow[]): Promise<PartyFacts>
}

function newFacts(context: Context): Facts {
  let readAt = Number.NEGATIVE_INFINITY
  let known: PartyFacts = { mandates: new Map(), legs: new Map() }
  return {
    of: async (follows) => {
      const now = context.clock.now().getTime()
      const isOld = now - readAt > FACTS_MS
      const missing = follows.map(({ mandateId }) => mandateId).filter((id) => isOld || !known.legs.has(id))
      if (missing.length === 0) return known
      const read = await readParties(context, missing)
      known = isOld
        ? read
        : { mandates: new Map([...known.mandates, ...read.mandates]), legs: new Map([...known.legs, ...read.legs]) }
      if (isOld) readAt = now
      return known
    },
  }
}
