import { isAfterApproval, isAfterStop, isBeforeEnd, type Decision, type Place } from '#books/rules/chain-order.ts'
import type { ViolationReason } from './execution.ts'

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

/** An `Executed` as the guard looks at it. */
export interface Spending extends Place {
  /** Names it among all executions of the mandate. */
  readonly key: string
  readonly logIndex: number
  readonly approved: bigint
  /** Approvals whose calldata its transaction carries. */
  readonly carries: readonly string[]
}

/** An approval that was given. */
export interface GivenApproval extends Decision {
  readonly id: string
  readonly expiresAt: Date
  /** The block that was known when it was given is not in the chain any more. */
  readonly replaced: boolean
}

/** What an `Executed` was: within the approval amount, approved, or a violation. */
export type ExecutionVerdict =
  | { readonly verdict: 'within' }
  | { readonly verdict: 'approved'; readonly approvalId: string }
  | { readonly verdict: 'violation'; readonly reason: ViolationReason }

/** What executions are judged by. */
export interface GuardRules {
  /** Null while nothing is held. */
  readonly approvalAbove: bigint | null
  /** The stop in the record; null before it. */
  readonly stop: Decision | null
}

/**
 * Judges executions in the order of the chain. After the record's stop each is a violation, whatever its amount. Above
 * the approval amount each uses up the oldest approval that is left of those whose call it carries, which was given before
 * it and had not ended; without one it is a violation. The order of the arguments does not matter, but for approvals:
 * oldest first.
 */
export function judgeExecutions(
  executions: readonly Spending[],
  approvals: readonly GivenApproval[],
  { approvalAbove, stop }: GuardRules,
): ReadonlyMap<string, ExecutionVerdict> {
  const used = new Set<string>()
  const verdicts = new Map<string, ExecutionVerdict>()
  for (const one of executions.toSorted(inChainOrder)) {
    if (stop !== null && isAfterStop(one, stop)) {
      verdicts.set(one.key, { verdict: 'violation', reason: 'executed_after_record_stop' })
      continue
    }
    if (approvalAbove === null || one.approved <= approvalAbove) {
      verdicts.set(one.key, { verdict: 'within' })
      continue
    }
    const match = approvals.find((approval) => !used.has(approval.id) && serves(approval, one))
    if (match !== undefined) used.add(match.id)
    verdicts.set(
      one.key,
      match === undefined
        ? { verdict: 'violation', reason: 'unapproved_execution' }
        : { verdict: 'approved', approvalId: match.id },
    )
  }
  return verdicts
}

const serves = (approval: GivenApproval, one: Spending): boolean =>
  one.carries.includes(approval.id) && isAfterApproval(one, approval) && isBeforeEnd(one, approval.expiresAt)

function inChainOrder(one: Spending, other: Spending): number {
  return one.block - other.block || one.logIndex - other.logIndex || (one.key < other.key ? -1 : 1)
}
