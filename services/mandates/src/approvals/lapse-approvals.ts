import type { Tx } from '@svc/postgres'
import { appendEntry } from '#record/append-entry.ts'
import type { Context } from '#context.ts'
import type { Mandate } from '#mandate/rules/mandate.ts'
import { resolveAlerts } from '#alerts/store/alerts.ts'
import { endApprovals, lapseApprovals } from './store/approvals.ts'

/** When an item ends that is held, or decided on, now: after its time, and with its mandate at the latest. */
export const approvalExpiry = (
  { approvalTtlHours }: Pick<Context['settings'], 'approvalTtlHours'>,
  { limits }: Pick<Mandate, 'limits'>,
  now: Date,
): Date => new Date(Math.min(now.getTime() + Math.round(approvalTtlHours * 3_600_000), limits.endsAt.getTime()))

/** Ends the items of a locked mandate whose time is over, each with a step of the record. */
export async function lapseOf(tx: Tx, mandate: Mandate, now: Date): Promise<number> {
  return recordEnds(tx, mandate, await lapseApprovals(tx, mandate.id, now), now)
}

/** Ends every open item of a locked mandate that is over, each with a step of the record. */
export async function endItems(tx: Tx, mandate: Mandate, now: Date): Promise<void> {
  await recordEnds(tx, mandate, await endApprovals(tx, mandate.id, now), now)
}

async function recordEnds(
  tx: Tx,
  mandate: Mandate,
  lapsed: readonly { readonly id: string }[],
  now: Date,
): Promise<number> {
  for (const { id } of lapsed)
    await appendEntry(tx, mandate, { at: now, kind: 'approval_expired', source: 'server', body: { approval_id: id } })
  if (lapsed.length > 0) await resolveRequests(tx, mandate, lapsed, now)
  return lapsed.length
}

/** Resolves the alerts about held calls that nobody waits for any more. */
export function resolveRequests(
  tx: Tx,
  { id }: Mandate,
  items: readonly { readonly id: string }[],
  now: Date,
): Promise<void> {
  return resolveAlerts(tx, id, { kinds: ['approval_requested'], about: items.map((item) => item.id) }, now)
}
