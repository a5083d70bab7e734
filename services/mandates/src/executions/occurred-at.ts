import { refuse } from '@svc/contract'
import { common } from '@svc/contracts'
import type { Mandate } from '#mandate/rules/mandate.ts'

/** How far a reporter's clock may be ahead. */
const AHEAD_MAX_MS = 60_000

/** The time of a report, or `invalid_request`: not in the future, and not before there was a mandate. */
export function occurredAt(text: string, mandate: Pick<Mandate, 'createdAt'>, now: Date): Date {
  const at = new Date(text)
  const wrong = (detail: string) =>
    refuse(common.invalidRequest, undefined, {}, [{ pointer: '/occurred_at', code: 'out_of_range', detail }])
  if (at.getTime() > now.getTime() + AHEAD_MAX_MS) wrong('must not be in the future')
  if (at < mandate.createdAt) wrong(`must not be before the mandate, which began at ${mandate.createdAt.toISOString()}`)
  return at
}
