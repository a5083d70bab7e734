import type { Tx } from '@svc/postgres'
import { appendEntry } from '#record/append-entry.ts'
import type { Context } from '#context.ts'
import type { Mandate } from '#mandate/rules/mandate.ts'
import { resolveAlerts } from '#alerts/store/alerts.ts'
import { endApprovals, expireApproval, lapseApprovals } from './store/approvals.ts'

/** Returns when an item held or approved now expires: after the configured time, at the end of the mandate at the latest. */
export const approvalExpiry = (
  { approvalTtlHours }: Pick<Context['settings'], 'approvalTtlHours'>,
  { limits }: Pick<Mandate, 'limits'>,
  now: Date,
): Date => new Date(Math.min(now.getTime() + Math.round(approvalTtlHours * 3_600_000), limits.endsAt.getTime()))

/** Expires the items of a locked mandate that are past their time, each with an entry in the record; returns their number. */
export async function lapseOf(tx: Tx, mandate: Mandate, now: Date): Promise<number> {
  return recordEnds(tx, mandate, await lapseApprovals(tx, mandate.id, now), now)
}

/** Expires every open item of a locked mandate that is over, each with an entry in the record. */
export async function endItems(tx: Tx, mandate: Mandate, now: Date): Promise<void> {
  await recordEnds(tx, mandate, await endApprovals(tx, mandate.id, now), now)
}

/** Expires an open item of a locked mandate before its time, with an entry in the record. */
export async function endItem(tx: Tx, mandate: Mandate, { id }: { readonly id: string }, now: Date): Promise<void> {
  await expireApproval(tx, id, now)
  await recordEnds(tx, mandate, [{ id }], now)
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

/** Resolves the alerts about held calls that no longer wait for the owner. */
export function resolveRequests(
  tx: Tx,
  { id }: Mandate,
  items: readonly { readonly id: string }[],
  now: Date,
): Promise<void> {
  return resolveAlerts(tx, id, { kinds: ['approval_requested'], about: items.map((item) => item.id) }, now)
}
