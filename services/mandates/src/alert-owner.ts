import type { Tx } from '@svc/postgres'
import type { LocalContext } from './context.ts'
import { ownerIdOf, type Mandate } from './domain/mandate.ts'
import { insertAlert, type NewAlert } from './store/alerts.ts'

/** Alerts the owner of a mandate, once for each occurrence that `about` names. */
export function alertOwner(
  tx: Tx,
  { alerts }: Pick<LocalContext, 'alerts'>,
  mandate: Mandate,
  what: Pick<NewAlert, 'kind' | 'severity' | 'text' | 'about'>,
  now: Date,
): Promise<void> {
  const link = alerts.linkTo(mandate.publicId)
  return insertAlert(tx, { ownerId: ownerIdOf(mandate), mandateId: mandate.id, link, ...what }, now)
}
