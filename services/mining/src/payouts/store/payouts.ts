import { sql, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'
import type { PaidToday, PlannedPayout, QueuedPayout } from '../rules/payout-plan.ts'

/** Payouts of one account that are planned at most; later payouts keep their day until earlier ones are released. */
const QUEUE_MAX = 1000

export async function insertPayout(
  tx: Tx,
  payout: { submission_id: string; account_id: number; cherry: number; pay_on: string },
  at: Date,
): Promise<void> {
  await tx.query(sql.unsafe`
    INSERT INTO payout (submission_id, account_id, cherry, pay_on, approved_at)
    VALUES (${payout.submission_id}, ${payout.account_id}, ${payout.cherry}, ${payout.pay_on}, ${at.toISOString()})`)
}

const cherryCountRow = z.object({ cherry: z.coerce.number(), count: z.number() })

const submissionIdCherryRow = z.object({ submission_id: z.string(), cherry: z.number() })

/** Returns the queued payouts, oldest first, and what was released today. Lock the miner's row first. */
export async function payoutState(
  tx: Tx,
  accountId: number,
  today: string,
): Promise<{ paid: PaidToday; queue: readonly QueuedPayout[] }> {
  const paid = await tx.one(sql.type(cherryCountRow)`
    SELECT coalesce(sum(cherry), 0) AS cherry, count(*) AS count FROM payout
    WHERE account_id = ${accountId} AND pay_on = ${today} AND status <> 'queued'`)
  const queue = await tx.any(sql.type(submissionIdCherryRow)`
    SELECT submission_id, cherry FROM payout WHERE account_id = ${accountId} AND status = 'queued' ORDER BY seq LIMIT ${QUEUE_MAX}`)
  return { paid, queue }
}

/** Stores a plan: releases and returns the payouts of `today`, and stores the day of the others. */
export async function applyPlan(
  tx: Tx,
  plan: readonly PlannedPayout[],
  today: string,
): Promise<readonly PlannedPayout[]> {
  await tx.query(sql.unsafe`
    UPDATE payout SET pay_on = plan.pay_on, status = CASE WHEN plan.pay_on = ${today}::date THEN 'released' ELSE 'queued' END
    FROM unnest(${sql.array(
      plan.map((one) => one.submission_id),
      'text',
    )}, ${sql.array(
      plan.map((one) => one.pay_on),
      'date',
    )})
      AS plan (submission_id, pay_on)
    WHERE payout.submission_id = plan.submission_id AND payout.status = 'queued'
      AND (plan.pay_on = ${today}::date OR payout.pay_on <> plan.pay_on)`)
  return plan.filter((one) => one.pay_on === today)
}

const accountIdRow = z.object({ account_id: z.number() })

/** Returns accounts with a payout due on `today` or before, longest waiting first. */
export async function accountsDue(db: Db, today: string, max: number): Promise<readonly number[]> {
  const rows = await db.any(sql.type(accountIdRow)`
    SELECT account_id FROM payout WHERE status = 'queued' AND pay_on <= ${today}
    GROUP BY account_id ORDER BY min(seq) LIMIT ${max}`)
  return rows.map((row) => row.account_id)
}

/** Marks a payout as paid; a second time changes nothing. */
export async function markPaid(tx: Tx, submissionId: string, at: string): Promise<void> {
  await tx.query(sql.unsafe`
    UPDATE payout SET status = 'paid', paid_at = ${at} WHERE submission_id = ${submissionId} AND status <> 'paid'`)
}

const rewardRow = z.object({
  submission_id: z.string(),
  token_id: z.string(),
  field_name: z.string(),
  points: z.number(),
  cherry: z.number(),
  approved_at: z.string(),
  status: z.enum(['queued', 'released', 'paid']),
  pay_on: z.string(),
  paid_at: z.string().nullable(),
})

const cherryRow = z.object({ cherry: z.coerce.number() })

/** Returns the newest rewards of an account, and the Cherry of all rewards that are not paid yet. */
export async function rewardsOf(db: Db, accountId: number, limit: number) {
  const rows = await db.any(sql.type(rewardRow)`
    SELECT p.submission_id, s.token_id, s.field_name, s.points, p.cherry, p.approved_at, p.status, p.pay_on, p.paid_at
    FROM payout p JOIN submission s ON s.id = p.submission_id
    WHERE p.account_id = ${accountId} ORDER BY p.seq DESC LIMIT ${limit}`)
  const open = await db.one(sql.type(cherryRow)`
    SELECT coalesce(sum(cherry), 0) AS cherry FROM payout WHERE account_id = ${accountId} AND status <> 'paid'`)
  return { rows, queued: open.cherry }
}
