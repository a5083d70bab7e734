import { createHash } from 'node:crypto'
import { canonicalJson } from './record-hash.ts'

/** The exact call that a decision of the owner is bound to. */
export interface HeldCall {
  readonly mandate: string
  readonly target: string
  readonly data: string
  readonly amount: bigint
}

/** SHA-256, as 0x hex, over mandate, target, calldata and amount; letter case of addresses and bytes does not count. */
export function callHash({ mandate, target, data, amount }: HeldCall): string {
  const call = { amount: String(amount), data: data.toLowerCase(), mandate, target: target.toLowerCase() }
  return `0x${createHash('sha256').update(canonicalJson(call)).digest('hex')}`
}

/**
 * Whether a transaction carries this calldata of a vault. One to the vault itself must begin with it: what an encoded
 * call reads ends with it, and elsewhere in the input it may be the padding of another call. The call of a wallet that is
 * a contract holds it somewhere inside; such a wallet could carry it beside another call of the same function and amount.
 */
export function carries(
  transaction: { readonly to: string | null; readonly input: string },
  vault: string,
  calldata: string,
): boolean {
  const [input, bytes] = [transaction.input.toLowerCase(), calldata.toLowerCase()]
  return transaction.to?.toLowerCase() === vault.toLowerCase()
    ? input.startsWith(bytes)
    : input.includes(bytes.slice(2))
}

/** What the guard looks at of an `Executed`. */
export interface Spending {
  readonly approved: bigint
  /** Time of its block. */
  readonly at: Date
}

/** An approval that may be what an `Executed` used up: same mandate, target, selector, amount and calldata. */
export interface Candidate {
  readonly id: string
  readonly decidedAt: Date
  readonly expiresAt: Date
}

/** What an `Executed` was: within the approval amount, approved, or a violation. */
export type ExecutionVerdict =
  | { readonly verdict: 'within' }
  | { readonly verdict: 'approved'; readonly approvalId: string }
  | { readonly verdict: 'violation'; readonly reason: 'executed_after_record_stop' | 'unapproved_execution' }

/**
 * Judges an `Executed`: above the approval amount it needs an approval of its own that was given before its block and
 * had not ended by then; after the record's stop it is a violation whatever its amount. Blocks tell whole seconds.
 */
export function judgeExecution(
  spending: Spending,
  approvalAbove: bigint | null,
  stoppedInRecordAt: Date | null,
  candidates: readonly Candidate[],
): ExecutionVerdict {
  const block = wholeSecond(spending.at)
  if (stoppedInRecordAt !== null && block > wholeSecond(stoppedInRecordAt))
    return { verdict: 'violation', reason: 'executed_after_record_stop' }
  if (approvalAbove === null || spending.approved <= approvalAbove) return { verdict: 'within' }
  const match = candidates.find(
    ({ decidedAt, expiresAt }) => wholeSecond(decidedAt) <= block && block <= expiresAt.getTime(),
  )
  return match === undefined
    ? { verdict: 'violation', reason: 'unapproved_execution' }
    : { verdict: 'approved', approvalId: match.id }
}

const wholeSecond = (at: Date): number => Math.floor(at.getTime() / 1000) * 1000
