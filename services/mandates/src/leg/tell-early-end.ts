import type { Tx } from '@svc/postgres'
import { alertOwner } from '#alerts/alert-owner.ts'
import type { LocalContext } from '#context.ts'
import type { Mandate } from '#mandate/rules/mandate.ts'
import { APPROVAL_ENDS } from './rules/leg-alerts.ts'

/** Alerts the owner of a locked mandate, once for each end, that the approval of its leg ends early. */
export function tellEarlyEnd(
  tx: Tx,
  context: Pick<LocalContext, 'alerts'>,
  mandate: Mandate,
  end: Date,
  now: Date,
): Promise<void> {
  const about = end.toISOString()
  const text = `The approval of the key by which "${mandate.name}" trades in your account ends at ${about}, before the mandate does not need it any more. Approve the key again before that with GET approve-call and POST bind of the mandate.`
  return alertOwner(tx, context, mandate, { kind: APPROVAL_ENDS, severity: 'warning', text, about, endsAt: end }, now)
}
