import type { Finding } from '@svc/contracts/mining/fields'
import { sql, type Db } from '@svc/postgres'
import { z } from 'zod'

const dueRow = z.object({
  submission_id: z.string(),
  attempts: z.number(),
  evidence_url: z.string(),
  field_value: z.string(),
})
export type DueEvidence = z.output<typeof dueRow>

/** Evidence to be fetched now, longest due first. One process checks at a time, so nothing is claimed. */
export function dueEvidence(db: Db, now: Date, max: number): Promise<readonly DueEvidence[]> {
  return db.any(sql.type(dueRow)`
    SELECT e.submission_id, e.attempts, s.evidence_url, s.field_value FROM evidence e JOIN submission s ON s.id = e.submission_id
    WHERE e.next_at <= ${now.toISOString()} ORDER BY e.next_at LIMIT ${max}`)
}

/** Stores what was seen; `nextAt` is when to look again, null for never. */
export async function putFinding(db: Db, submissionId: string, finding: Finding, nextAt: Date | null): Promise<void> {
  await db.query(sql.unsafe`
    UPDATE evidence SET finding = ${JSON.stringify(finding)}::jsonb, attempts = attempts + 1,
      next_at = CASE WHEN next_at IS NULL THEN NULL ELSE ${nextAt?.toISOString() ?? null}::timestamptz END
    WHERE submission_id = ${submissionId}`)
}
