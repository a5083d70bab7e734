import { check, finding } from '@svc/contracts/mining/fields'
import { sql, table, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'
import type { Decision } from '../rules/review.ts'

const submissions = table('submission', {
  id: z.string(),
  seq: z.number(),
  token_id: z.string(),
  exchange: z.string(),
  symbol: z.string(),
  account_id: z.number(),
  field_name: z.string(),
  field_value: z.string(),
  evidence_url: z.string(),
  points: z.number(),
  cherry: z.number(),
  submitted_at: z.string(),
  checks: z.array(check),
})
const columns = submissions.listOf('s')
const queueRow = submissions.row.extend({
  standing: z.number(),
  finding: finding.nullable(),
  current_value: z.string().nullable(),
  approved: z.number(),
  rejected: z.number(),
  approvals: z.number(),
})
export type QueueRow = z.output<typeof queueRow>

/** Position of an entry in the queue. */
export interface QueuePosition {
  readonly standing: number
  readonly seq: number
}

/** Returns pending entries: best miners first, then the oldest; `after` is where the previous page ended. */
export function reviewQueue(db: Db, after: QueuePosition | null, limit: number): Promise<readonly QueueRow[]> {
  return db.any(sql.type(queueRow)`
    SELECT ${columns}, m.standing, e.finding, v.field_value AS current_value, m.approved, m.rejected,
      (SELECT count(*) FROM decision d WHERE d.submission_id = s.id AND d.decision = 'approve') AS approvals
    FROM submission s JOIN miner m USING (account_id)
      LEFT JOIN evidence e ON e.submission_id = s.id
      LEFT JOIN verified_field v ON v.token_id = s.token_id AND v.field_name = s.field_name
    WHERE s.status = 'pending'
      AND (${after === null} OR (-m.standing, s.seq) > (${-(after?.standing ?? 0)}::double precision, ${after?.seq ?? 0}))
    ORDER BY -m.standing, s.seq LIMIT ${limit}`)
}

const decisionRow = z.object({ reviewer_wallet: z.string(), decision: z.enum(['approve', 'reject']) })

export function decisionsOf(db: Db, submissionId: string): Promise<readonly z.output<typeof decisionRow>[]> {
  return db.any(
    sql.type(
      decisionRow,
    )`SELECT reviewer_wallet, decision FROM decision WHERE submission_id = ${submissionId} ORDER BY id`,
  )
}

export async function insertDecision(
  tx: Tx,
  row: { submission_id: string; account_id: number; wallet: string; decision: Decision; reason: string | null },
  at: Date,
): Promise<void> {
  await tx.query(sql.unsafe`
    INSERT INTO decision (submission_id, reviewer_account_id, reviewer_wallet, decision, reason, decided_at)
    VALUES (${row.submission_id}, ${row.account_id}, ${row.wallet}, ${row.decision}, ${row.reason}, ${at.toISOString()})`)
}
