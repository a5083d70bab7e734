import type { Tx } from '@svc/postgres'
import { releaseApproval } from '#approvals/store/approvals.ts'
import type { Mandate } from '#mandate/rules/mandate.ts'
import { appendEntry } from '#record/append-entry.ts'

/** Gives the approval of an order back that the venue missed or that was refused after all, until the approval expires. */
export async function giveApprovalBack(
  tx: Tx,
  mandate: Mandate,
  { id, reason }: { readonly id: string; readonly reason: 'order_missed' | 'order_refused' },
  now: Date,
): Promise<void> {
  await releaseApproval(tx, id, now)
  const body = { approval_id: id, reason }
  await appendEntry(tx, mandate, { at: now, kind: 'approval_released', source: 'server', body })
}
