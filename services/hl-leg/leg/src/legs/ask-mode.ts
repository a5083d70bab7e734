import { countAlarm } from '@svc/service'
import type { Context } from '#context.ts'
import { isStandardMode } from '@svc/venue/rules/account'
import type { WeightClass } from '@svc/venue/rules/weights'
import { emitForeignDays, emitLeg } from './emit-leg.ts'
import { addDays } from './rules/foreign-fills.ts'
import { noteForeignDays } from './store/foreign-days.ts'
import { askSurvey, type Leg, lockLeg, moveLeg, noteMode } from './store/legs.ts'

/** What the venue says now of how an account is run. */
export interface AccountMode {
  /** Value and payments of the account can be told apart. */
  readonly standard: boolean
  /** USDC in spot, decimal text. */
  readonly spotUsdc: string
}

/**
 * Asks the venue for the mode of an account and for its spot balance. A leg whose account left the standard mode becomes
 * `unsupported` at once, with its event and a page; one that came back is surveyed next. Rejects with an outage.
 */
export async function askMode(
  context: Pick<Context, 'pool' | 'clock' | 'venue' | 'log'>,
  by: WeightClass,
  leg: Leg,
): Promise<AccountMode> {
  const { pool, clock, venue } = context
  const [mode, spot] = await Promise.all([
    venue.ask(by, 'userAbstraction', { user: leg.owner }),
    venue.ask(by, 'spotClearinghouseState', { user: leg.owner }),
  ])
  const standard = isStandardMode(mode)
  const spotUsdc = spot.balances.find(({ token }) => token === 0)?.total ?? '0'
  if (standard) {
    await noteMode(pool, leg.publicId, clock.now())
    if (leg.state === 'unsupported') await askSurvey(pool, leg.publicId)
  } else if (leg.state === 'bound') await endStandard(context, leg, { mode, spotUsdc })
  return { standard, spotUsdc }
}

/** Moves a bound leg to `unsupported`, which its owner is told of. */
async function endStandard(
  { pool, clock, log }: Pick<Context, 'pool' | 'clock' | 'log'>,
  { publicId }: Leg,
  found: { readonly mode: string; readonly spotUsdc: string },
): Promise<void> {
  const now = clock.now()
  const isMoved = await pool.transaction(async (tx) => {
    const locked = await lockLeg(tx, publicId)
    if (locked?.state !== 'bound') return false
    await emitLeg(tx, await moveLeg(tx, publicId, { state: 'unsupported', reason: null }, now), null, now)
    await askSurvey(tx, publicId)
    // The mode may be back before the survey; what the account made on this day is not known to be the agent's.
    await emitForeignDays(tx, publicId, await noteForeignDays(tx, publicId, addDays(new Map(), [now])))
    return true
  })
  if (!isMoved) return
  const alarm = 'leg_unsupported'
  countAlarm(alarm, 'hl-leg')
  log.error({ alarm, public_id: publicId, ...found }, 'the account of a leg is not in the standard mode any more')
}
