import { revertBeforeCall, type Attempt } from './attempt.ts'
import { headroomOf, type ClauseVerdict } from './clause-verdict.ts'
import { clauseVerdicts, needsApproval, stopLineReached, type Observed } from './clauses.ts'
import { nextUtcMidnight, recognise, usageAt } from './ledger.ts'
import type { Terms } from './terms.ts'
import type { VaultError } from './vault-error.ts'

/** Kinds of a refusal. The vault has the first five; the service adds `server_guard`. */
export type RefusalKind =
  | 'TargetNotAllowed'
  | 'OverPerTxCap'
  | 'OverDailyCap'
  | 'MandateStopped'
  | 'MandateEnded'
  | 'server_guard'

/** Codes of refusals: those of the vault in its order of checks, then those of the guard. */
export type RefusalCode =
  | 'stopped_by_owner'
  | 'stopped_by_stop_line'
  | 'mandate_ended'
  | 'mandate_paused'
  | 'caller_not_agent'
  | 'call_not_allowed'
  | 'over_per_tx_cap'
  | 'over_daily_cap'
  | 'insufficient_funds'
  | 'stopped_in_record'
  | 'stop_line_reached'
  | 'funds_held_by_approvals'
  | 'daily_cap_used_by_leg'
  | 'daily_cap_held_by_approvals'
  | 'approval_required'

/** The first rule that an attempt breaks. */
export interface Refusal {
  readonly kind: RefusalKind
  readonly code: RefusalCode
  /** The clause that refuses; null for a pause, the owner's stop and a foreign caller, which are in no clause. */
  readonly clause: ClauseVerdict['clause'] | null
  /** What the vault reverts with; null if only the guard refuses. */
  readonly revert: VaultError | null
}

/** The complete judgement of an attempt. */
export interface Assessment {
  readonly attempt: Attempt
  /** Verdicts of clauses 1 to 8, each independent of the others. */
  readonly verdicts: readonly ClauseVerdict[]
  /** Null if neither the vault nor the guard refuses. */
  readonly refusal: Refusal | null
  /**
   * The largest amount that passes now for the same target and caller, without a new decision of the owner. Zero means
   * that only calls that spend nothing pass, such as selling. Null means that no amount passes.
   */
  readonly maxPassing: bigint | null
  /** Unix seconds at which the daily cap resets; null unless today's usage makes the daily cap refuse. */
  readonly resetsAt: bigint | null
}

/**
 * Judges an attempt of `execute` as the guard and the vault would. Does not judge whether the call of the target
 * succeeds. Throws RangeError for an amount outside the range of a uint256.
 */
export function assess(terms: Terms, observed: Observed, attempt: Attempt): Assessment {
  if (attempt.amount < 0n || attempt.amount >= 1n << 256n) throw new RangeError('attempt.amount must fit a uint256')
  const seen = { ...observed, vault: recognise(terms, observed.vault, observed.balance, attempt.at) }
  const { used } = usageAt(terms, seen.vault, attempt.at)
  const verdicts = clauseVerdicts(terms, seen, attempt)
  const dailyCapRefuses = verdicts.some(({ clause, verdict }) => clause === 3 && verdict === 'refuse')
  return {
    attempt,
    verdicts,
    refusal: firstRefusal(terms, seen, attempt),
    maxPassing: largestPassing(terms, seen, attempt),
    resetsAt: dailyCapRefuses && used + observed.legUsed > 0n ? nextUtcMidnight(attempt.at) : null,
  }
}

function firstRefusal(terms: Terms, observed: Observed, attempt: Attempt): Refusal | null {
  const revert = revertBeforeCall(terms, observed.vault, observed.balance, attempt)
  if (revert !== null) return refusalOf(revert)
  const { funds, daily, dailyOfLeg } = guardHeadroom(terms, observed, attempt.at)
  if (observed.stoppedInRecord) return guarded('stopped_in_record', null)
  if (stopLineReached(terms, observed)) return guarded('stop_line_reached', 7)
  if (attempt.amount > dailyOfLeg) return guarded('daily_cap_used_by_leg', 3)
  if (attempt.amount > daily) return guarded('daily_cap_held_by_approvals', 3)
  if (attempt.amount > funds) return guarded('funds_held_by_approvals', 1)
  if (needsApproval(terms, observed, attempt.amount)) return guarded('approval_required', 6)
  return null
}

const guarded = (code: RefusalCode, clause: Refusal['clause']): Refusal => ({
  kind: 'server_guard',
  code,
  clause,
  revert: null,
})

/**
 * Returns what the guard leaves to other calls: of the funds after the money of approvals, and of the daily cap after what
 * the leg used (`dailyOfLeg`) and what approvals hold as well (`daily`).
 */
function guardHeadroom(terms: Terms, { vault, held, legUsed, legHeld }: Observed, at: bigint) {
  const used = usageAt(terms, vault, at).used + legUsed
  return {
    funds: headroomOf(vault.accounted, held),
    dailyOfLeg: headroomOf(terms.dailyCap, used),
    daily: headroomOf(terms.dailyCap, used + held + legHeld),
  }
}

function largestPassing(terms: Terms, observed: Observed, attempt: Attempt): bigint | null {
  if (firstRefusal(terms, observed, { ...attempt, amount: 0n }) !== null) return null
  // Another amount is another call: the approval of this call does not cover it, and its money stays held.
  const others = { ...observed, held: observed.held + observed.own }
  const { funds, daily } = guardHeadroom(terms, others, attempt.at)
  const unapproved = terms.approvalAbove === null ? [] : [terms.approvalAbove]
  const most = [terms.perTxCap, daily, funds, ...unapproved].reduce((least, bound) => (bound < least ? bound : least))
  return attempt.amount > most && firstRefusal(terms, observed, attempt) === null ? attempt.amount : most
}

/**
 * Returns the refusal that a revert of `execute` stands for; null for a revert that no rule of the mandate causes,
 * such as a failed call of the target.
 */
export function refusalOf(revert: VaultError): Refusal | null {
  switch (revert.name) {
    case 'MandateStopped':
      return { kind: revert.name, ...stopOf[revert.args[0]], revert }
    case 'MandateEnded':
      return { kind: revert.name, code: 'mandate_ended', clause: 5, revert }
    case 'TargetNotAllowed':
      return { kind: revert.name, code: 'call_not_allowed', clause: 4, revert }
    case 'OverPerTxCap':
      return { kind: revert.name, code: 'over_per_tx_cap', clause: 2, revert }
    case 'OverDailyCap':
      return { kind: revert.name, code: 'over_daily_cap', clause: 3, revert }
    case 'NotAgent':
      return { kind: 'server_guard', code: 'caller_not_agent', clause: null, revert }
    case 'InsufficientFunds':
      return { kind: 'server_guard', code: 'insufficient_funds', clause: 1, revert }
    default:
      return null
  }
}

const stopOf = {
  1: { code: 'stopped_by_owner', clause: null },
  2: { code: 'stopped_by_stop_line', clause: 7 },
  3: { code: 'mandate_paused', clause: null },
} as const
