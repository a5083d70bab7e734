import { refuse } from '@svc/contract'
import { featureDisabled } from '@svc/contracts/hl-leg/refusals'
import { mandateNotClosed, unknownMandate } from '@svc/contracts/mandates/refusals'
import { callerOf, RemoteRefusal, type Call } from '@svc/service'
import type { Context } from '#context.ts'

type LegMandate = Awaited<ReturnType<Context['mandates']['readLegMandate']>>['mandate']

/** Refuses while the funding of legs is off; the edge answers for the leg itself. */
export function requireFunding({ settings }: Context): void {
  if (!settings.legEnabled || settings.legFunding !== 'test') refuse(featureDisabled)
}

/** Reads the mandate of a call; refuses one that the caller neither owns nor works on. */
export async function mandateOf({ mandates }: Context, publicId: string, call: Call): Promise<LegMandate> {
  const { account_id, kind } = callerOf(call)
  try {
    const as = kind === 'agent' ? 'agent' : 'owner'
    const { mandate } = await mandates.readLegMandate({ public_id: publicId, account_id, as })
    return mandate
  } catch (error) {
    if (error instanceof RemoteRefusal && error.body.code === unknownMandate.code) refuse(unknownMandate)
    throw error
  }
}

const OVER: ReadonlySet<string> = new Set(['stopped', 'ended', 'closed'])

/** Returns whether the mandate is stopped or ended. */
export const isOver = ({ state }: LegMandate): boolean => OVER.has(state)

/** Refuses a mandate that is neither stopped nor ended. */
export function requireOver(mandate: LegMandate): void {
  if (!isOver(mandate)) refuse(mandateNotClosed, undefined, { state: mandate.state })
}
