import { ok, refuse } from '@svc/contract'
import { common } from '@svc/contracts'
import { mining } from '@svc/contracts/mining'
import { miningRefusals } from '@svc/contracts/mining/refusals'
import { emit, type Tx } from '@svc/postgres'
import { callerOf, type BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { skeleton } from '#submissions/rules/confusable.ts'
import { approvalsNeeded, statusAfter } from '../rules/review.ts'
import { recordAfter } from '#miners/rules/miner-record.ts'
import { textProblem } from '#submissions/rules/text.ts'
import { utcDayOf } from '#payouts/rules/utc-day.ts'
import { lockMiner, putMiner } from '#miners/store/miners.ts'
import { insertPayout } from '#payouts/store/payouts.ts'
import { releasePayouts } from '#payouts/store/release-payouts.ts'
import { decisionsOf, insertDecision } from '../store/review-queue.ts'
import {
  closeSubmission,
  findSubmission,
  lockSubmission,
  readSubmission,
  type ReviewedSubmission,
} from '#submissions/store/submissions.ts'
import { putVerified } from '#submissions/store/tokens.ts'

const { unknownSubmission, selfReview, alreadyReviewed } = miningRefusals

function goodReason(decision: 'approve' | 'reject', reason: string | undefined): string | null {
  if (reason === undefined && decision === 'approve') return null
  const wrong = textProblem(reason ?? '')
  if (wrong === null) return reason ?? null
  return refuse(common.invalidRequest, undefined, {}, [
    { pointer: '/reason', code: wrong.code, detail: `reason ${wrong.detail}` },
  ])
}

async function approve(context: Context, tx: Tx, id: string, entry: ReviewedSubmission, now: Date): Promise<void> {
  const { account_id, token_id, field_name, field_value, evidence_url, base, points, cherry } = entry
  const at = now.toISOString()
  const today = utcDayOf(now)
  await putVerified(
    tx,
    { token_id, field_name, base, field_value, skeleton: skeleton(field_value), submission_id: id },
    now,
  )
  await insertPayout(tx, { submission_id: id, account_id, cherry, pay_on: today }, now)
  await emit(tx, mining.events.submissionApproved, {
    submission_id: id,
    account_id,
    token_id,
    field_name,
    points,
    cherry,
    approved_at: at,
  })
  await emit(tx, mining.events.fieldVerified, {
    token_id,
    field_name,
    field_value,
    evidence_url,
    submission_id: id,
    verified_at: at,
  })
  await releasePayouts(tx, account_id, context.dailyLimit, today)
}

export const reviewSubmission: BoundHandler<Context, typeof mining.operations.reviewSubmission> =
  (context) => async (input, call) => {
    const reviewer = callerOf(call)
    const wallet = (reviewer.wallet ?? `account:${reviewer.account_id}`).toLowerCase()
    const { id, decision } = input
    const reason = goodReason(decision, input.reason)
    const found = await findSubmission(context.pool, id)
    if (found === null) refuse(unknownSubmission)
    const own = found.account_id === reviewer.account_id || found.wallet?.toLowerCase() === wallet
    if (own || (await context.relatedAccounts(reviewer.account_id)).includes(found.account_id)) refuse(selfReview)

    return call.effect(async (tx) => {
      // The miner's row first: submits and payout plans lock in the same order.
      const record = await lockMiner(tx, found.account_id)
      const entry = await lockSubmission(tx, id)
      const earlier = await decisionsOf(tx, id)
      const mine = earlier.find((one) => one.reviewer_wallet === wallet)
      const approvals = earlier.filter((one) => one.decision === 'approve').length + (decision === 'approve' ? 1 : 0)
      const answer = async (count: number) =>
        ok(200, {
          ok: true as const,
          ...(call.isDryRun ? { dry_run: true as const } : {}),
          submission: await readSubmission(tx, id),
          approvals: count,
          approvals_needed: approvalsNeeded(entry.field_name),
        })

      if (mine?.decision === decision) return answer(approvals - (decision === 'approve' ? 1 : 0))
      if (mine !== undefined || entry.status !== 'pending') {
        refuse(
          alreadyReviewed,
          mine === undefined ? `The submission is ${entry.status}.` : 'You have decided on it already.',
          { review_status: entry.status },
        )
      }
      await insertDecision(
        tx,
        { submission_id: id, account_id: reviewer.account_id, wallet, decision, reason },
        call.now,
      )
      const status = statusAfter(decision, entry.field_name, approvals)
      if (status === 'pending') return answer(approvals)
      await closeSubmission(tx, id, status, reason, call.now)
      await putMiner(tx, entry.account_id, recordAfter(record, status, call.now))
      if (status === 'approved') await approve(context, tx, id, entry, call.now)
      else {
        const { account_id, token_id, field_name } = entry
        await emit(tx, mining.events.submissionRejected, {
          submission_id: id,
          account_id,
          token_id,
          field_name,
          reason: reason ?? '',
          lapsed: false,
        })
      }
      return answer(approvals)
    })
  }
