import type { Submission } from '@svc/contracts/mining/fields'
import { fieldOf } from '#submissions/rules/field-catalogue.ts'

export type Decision = 'approve' | 'reject'

/** Days after which an entry nobody decided on lapses. */
export const LAPSE_DAYS = 7

/** Approvals by different reviewers that a value of the field needs. */
export function approvalsNeeded(fieldName: string): 1 | 2 {
  return fieldOf(fieldName)?.approvals ?? 1
}

/** Status of a pending submission after one more decision; `approvals` counts this one. */
export function statusAfter(decision: Decision, fieldName: string, approvals: number): Submission['status'] {
  if (decision === 'reject') return 'rejected'
  return approvals >= approvalsNeeded(fieldName) ? 'approved' : 'pending'
}

/** The instant `days` after `at`. */
export function daysAfter(at: Date, days: number): Date {
  return new Date(at.getTime() + days * 86_400_000)
}
