import type { Tx } from '@svc/postgres'
import { appendEntry } from './append-entry.ts'
import type { Context } from './context.ts'
import type { Mandate } from './domain/mandate.ts'
import { lapseApprovals } from './store/approvals.ts'

/** When an item ends that is held, or decided on, now. */
export const approvalExpiry = ({ approvalTtlHours }: Pick<Context['settings'], 'approvalTtlHours'>, now: Date): Date =>
  new Date(now.getTime() + approvalTtlHours * 3_600_000)

/** Ends the items of a locked mandate whose time is over, each with a step of the record. */
export async function lapseOf(tx: Tx, mandate: Mandate, now: Date): Promise<number> {
  const lapsed = await lapseApprovals(tx, mandate.id, now)
  for (const { id } of lapsed)
    await appendEntry(tx, mandate, { at: now, kind: 'approval_expired', source: 'server', body: { approval_id: id } })
  return lapsed.length
}
