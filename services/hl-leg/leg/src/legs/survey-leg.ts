import type { Context } from '#context.ts'
import { readLedger } from '#readings/read-ledger.ts'
import { isRead } from '#readings/rules/history.ts'
import { ledgerEntries, unexplainedOf } from '#readings/store/ledger.ts'
import { listedKey } from '@svc/venue/rules/account'
import type { WeightClass } from '@svc/venue/rules/weights'
import { venueSkew } from '#venue/venue-clock.ts'
import { emitForeignDays, emitLeg } from './emit-leg.ts'
import { accountOf } from './leg-keys.ts'
import { checksOf, foreignKeys } from './rules/checks.ts'
import { addDays, foreignDays, foreignFills } from './rules/foreign-fills.ts'
import { approvalEnd, endsEarly, isLive, standingOf } from './rules/standing.ts'
import { noteForeignDays } from './store/foreign-days.ts'
import { type Leg, lockLeg, moveLeg, noteEndTold, noteSurvey } from './store/legs.ts'

/** Executions of the last day are shown, those of the last week are counted by day. */
const DAY_MS = 86_400_000
const COUNTED_MS = 7 * DAY_MS
/** An order is signed before it is executed, and by another clock. */
const SIGNED_BEFORE_MS = 3_600_000

/**
 * Surveys the account of a live leg: keys, mode, ledger and executions. Stores what was found, and moves the leg to the
 * state that follows, in one transaction with its event. `endsAt`: end of the mandate. Returns true if the state changed.
 */
export async function surveyLeg(context: Context, by: WeightClass, leg: Leg, endsAt: Date): Promise<boolean> {
  const { venue, pool, clock, seed, settings } = context
  const isOurs = accountOf(seed, leg) !== null
  const agents = await venue.ask(by, 'extraAgents', { user: leg.owner })
  const mode = await venue.ask(by, 'userAbstraction', { user: leg.owner })
  const all = await venue.ask(by, 'userFills', { user: leg.owner })
  // What happens in spot and on dexes that are not read is no business of the leg.
  const fills = all.filter(({ coin }) => isRead(coin, settings.dexes))
  await readLedger(context, by, { publicId: leg.publicId, owner: leg.owner })
  const { skewMs } = await venueSkew(context, by)
  const now = clock.now()
  const key = leg.agent ?? ''
  const listed = listedKey(agents, key, now)
  const validUntil = listed?.validUntil == null ? null : new Date(listed.validUntil)
  const stands = standingOf({ key, isOurs, mode, agents, validUntil: validUntil ?? leg.validUntil }, now)
  const needed = approvalEnd(endsAt, settings.returnFallbackSec, now)
  const facts = { role: 'user', mode, agents, isFlat: null, skewMs } as const
  const checks = checksOf(facts, { address: key, isOurs, validUntil: needed, isBound: true }, now)
  const since = now.getTime() - DAY_MS
  const countedSince = Math.max(now.getTime() - COUNTED_MS, leg.boundAt?.getTime() ?? 0)
  const ours = await context.ownCloids(pool, leg.publicId, new Date(Math.min(since, countedSince) - SIGNED_BEFORE_MS))
  const isOther = leg.state === 'unsupported' || stands.state === 'unsupported'
  const moved = await movedDays(context, leg, { since: new Date(countedSince), now, isOther })
  const found = {
    at: now,
    validUntil,
    foreignAgents: foreignKeys(agents, now).length,
    foreignFills: foreignFills(fills, ours, since),
    checks,
  }
  return pool.transaction(async (tx) => {
    const locked = await lockLeg(tx, leg.publicId)
    // Meanwhile the owner may have bound another key, or released the leg.
    if (locked === null || !isLive(locked.state) || locked.agent !== leg.agent) return false
    await noteSurvey(tx, leg.publicId, found)
    const days = addDays(foreignDays(fills, ours, countedSince), moved)
    await emitForeignDays(tx, leg.publicId, await noteForeignDays(tx, leg.publicId, days))
    const isMoved = locked.state !== stands.state
    if (isMoved) await emitLeg(tx, await moveLeg(tx, leg.publicId, stands, now), stands.reason, now)
    else if (validUntil !== null && endsEarly(validUntil, needed, now) && (await noteEndTold(tx, leg.publicId, now)))
      await emitLeg(tx, { ...locked, validUntil }, 'ends_early', now)
    return isMoved
  })
}

/**
 * Returns the times at which something other than trading changed the account: its owner moved money out of it, nothing
 * explains its cash, or it is or was in another mode than the standard one (`isOther`).
 */
async function movedDays(
  { pool }: Pick<Context, 'pool'>,
  { publicId }: Leg,
  { since, now, isOther }: { readonly since: Date; readonly now: Date; readonly isOther: boolean },
): Promise<readonly Date[]> {
  const entries = await ledgerEntries(pool, publicId, since)
  const out = entries.filter(({ ours, effect }) => !ours && effect.startsWith('-')).map(({ at }) => at)
  const unexplained = (await unexplainedOf(pool, [publicId])).get(publicId)
  return [...out, ...(unexplained === undefined ? [] : [unexplained, now]), ...(isOther ? [now] : [])]
}
