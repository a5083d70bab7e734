import type { Tx } from '@svc/postgres'
import type { LocalContext } from '#context.ts'
import { ownerIdOf, type Mandate } from '#mandate/rules/mandate.ts'
import { dueAt } from './rules/alert-times.ts'
import type { OwnerAlert } from './rules/owner-alert.ts'
import { alertTimesOf } from './store/alert-times.ts'
import { insertAlert } from './store/alerts.ts'

/** Alerts the owner of a mandate, once for each occurrence that `about` names. */
export async function alertOwner(
  tx: Tx,
  { alerts }: Pick<LocalContext, 'alerts'>,
  mandate: Mandate,
  what: OwnerAlert,
  now: Date,
): Promise<void> {
  const link = alerts.linkTo(mandate.publicId)
  const ownerId = ownerIdOf(mandate)
  const due = dueAt({ endsAt: null, ...what }, now, await alertTimesOf(tx, ownerId))
  await insertAlert(tx, { ownerId, mandateId: mandate.id, link, ...what }, now, due)
}
