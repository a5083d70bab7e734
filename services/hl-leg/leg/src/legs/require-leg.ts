import { refuse } from '@svc/contract'
import { legNotInMandate, ownerBusy } from '@svc/contracts/hl-leg/legs'
import { featureDisabled, notConfigured } from '@svc/contracts/hl-leg/refusals'
import type { LegMandate } from '@svc/contracts/mandates/leg'
import { unknownMandate, wrongState } from '@svc/contracts/mandates/refusals'
import { callerOf, RemoteRefusal, type Call } from '@svc/service'
import type { Context } from '#context.ts'
import { isLive } from './rules/standing.ts'
import { type Leg, liveLegOf, readLeg } from './store/legs.ts'

/** Refuses with `hub_feature_disabled` while the leg is switched off. */
export function requireOn({ settings }: Pick<Context, 'settings'>): void {
  if (!settings.legEnabled) refuse(featureDisabled)
}

/** Returns the seed of the keys; refuses with `not_configured` without one. */
export function requireSeed({ seed }: Pick<Context, 'seed'>): Uint8Array {
  if (seed === null) refuse(notConfigured)
  return seed
}

/** Reads the mandate of a call as its caller, owner or agent; refuses with `unknown_mandate`. */
export async function mandateOfCaller(
  { mandates }: Pick<Context, 'mandates'>,
  publicId: string,
  call: Call,
): Promise<LegMandate> {
  const { account_id, kind } = callerOf(call)
  const as = kind === 'owner' ? 'owner' : 'agent'
  try {
    const { mandate } = await mandates.readLegMandate(
      { public_id: publicId, account_id, as },
      { requestId: call.requestId, deadline: call.deadline },
    )
    return mandate
  } catch (error) {
    if (error instanceof RemoteRefusal && error.body.code === unknownMandate.code) refuse(unknownMandate)
    throw error
  }
}

const OPEN = ['signed', 'working', 'paused'] as const
const CLOSED = ['stopped', 'ended'] as const

/**
 * Refuses unless a key may be approved for the mandate: its terms are signed and name a market of the venue. A stopped
 * or ended mandate may get a new key only for a leg that is still live, to close its positions.
 */
function requireLegMandate({ state, limits }: LegMandate, hasLiveLeg: boolean): void {
  if (!limits.hl_leg) refuse(legNotInMandate)
  const allowed = hasLiveLeg ? [...OPEN, ...CLOSED] : [...OPEN]
  if (!(allowed as readonly string[]).includes(state)) refuse(wrongState, undefined, { state, allowed })
}

/** What each step to a bound leg begins with; `leg` is null before the first step. */
export interface LegToBind {
  readonly seed: Uint8Array
  readonly mandate: LegMandate
  readonly leg: Leg | null
}

/**
 * Reads the mandate of a call and its leg. Refuses while the leg is switched off or has no seed, for a mandate that may get
 * no key, and for an owner whose live leg belongs to another mandate.
 */
export async function legToBind(
  context: Pick<Context, 'settings' | 'seed' | 'mandates' | 'pool'>,
  publicId: string,
  call: Call,
): Promise<LegToBind> {
  requireOn(context)
  const seed = requireSeed(context)
  const { pool, settings } = context
  const mandate = await mandateOfCaller(context, publicId, call)
  const leg = await readLeg(pool, mandate.public_id)
  requireLegMandate(mandate, leg !== null && isLive(leg.state))
  const other = await liveLegOf(pool, settings.network, mandate.owner_wallet)
  if (other !== null && other.publicId !== mandate.public_id) refuse(ownerBusy)
  return { seed, mandate, leg }
}
