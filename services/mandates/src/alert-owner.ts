import type { Tx } from '@svc/postgres'
import type { Context } from './context.ts'
import type { Mandate } from './domain/mandate.ts'
import { insertAlert } from './store/alerts.ts'

/** Tells the owner of a mandate of something critical, once for what it is about. */
export function alertOwner(
  tx: Tx,
  { acting, clock }: Context,
  mandate: Mandate,
  what: { readonly kind: string; readonly text: string; readonly about: string },
): Promise<void> {
  const link = acting.linkTo(mandate.publicId)
  const told = { ownerId: mandate.owner?.id ?? 0, mandateId: mandate.id, severity: 'critical', link } as const
  return insertAlert(tx, { ...told, ...what }, clock.now())
}
