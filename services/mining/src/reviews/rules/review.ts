import type { Submission } from '@svc/contracts/mining/fields'
import { fieldOf } from '#submissions/rules/field-catalogue.ts'

export type Decision = 'approve' | 'reject'

/** Days after which an undecided entry lapses. */
export const LAPSE_DAYS = 7

/** Returns how many reviewers must approve a value of the field. */
export function approvalsNeeded(fieldName: string): 1 | 2 {
  return fieldOf(fieldName)?.approvals ?? 1
}

/** Returns the status of a pending submission after one more decision; `approvals` includes it. */
export function statusAfter(decision: Decision, fieldName: string, approvals: number): Submission['status'] {
  if (decision === 'reject') return 'rejected'
  return approvals >= approvalsNeeded(fieldName) ? 'approved' : 'pending'
}

/** Returns the instant `days` after `at`. */
export function daysAfter(at: Date, days: number): Date {
  return new Date(at.getTime() + days * 86_400_000)
}
