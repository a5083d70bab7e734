import type { RefusalKind } from './assess.ts'
import {
  approvalVerdict,
  budgetVerdict,
  endVerdict,
  feeVerdict,
  headroomOf,
  listVerdict,
  spendingVerdict,
  stopLineVerdict,
  type ClauseVerdict,
  type EnforcedBy,
} from './clause-verdict.ts'
import { nextUtcMidnight } from './ledger.ts'
import type { Terms } from './terms.ts'

/** An order that the leg of a mandate intends to send. */
export interface OrderAttempt {
  readonly by: 'agent' | 'owner'
  readonly market: string
  /** True if the order opens or enlarges a position; the position decides, not the request. */
  readonly opening: boolean
  /** Size times reference price, in USDC base units. */
  readonly notional: bigint
  /** The most that the order loses at once: the difference between worst price and mark, and the fees. */
  readonly loss: bigint
  /** Unix seconds. */
  readonly at: bigint
}

/** A limit of the leg that is in no clause, and that the order breaks. */
export interface GuardFinding {
  readonly code: string
  /** Figures as text; null if the rule has none. */
  readonly limit: string | null
  readonly attempted: string | null
  readonly fix: string
}

/** What is known about a mandate when an order of its leg is judged. Amounts are USDC base units. */
export interface OrderObserved {
  /** True if the mandate works: funded, with its designated agent, not stopped; its end may have passed. */
  readonly working: boolean
  /** True if the owner has taken the agent's right to act from it, without a stop. */
  readonly paused: boolean
  /** Who stopped the mandate: its owner in the record or on the chain, or the stop line. An owner's stop comes first. */
  readonly stop: 'owner_in_record' | 'owner' | 'stop_line' | null
  /** Markets of the signed terms. */
  readonly markets: readonly string[]
  /** Used of the daily cap today: pulls of calls, fills of opens, and reservations. */
  readonly used: bigint
  /** Held by open approvals, except the one of exactly this order. */
  readonly held: bigint
  /** Held by the open approval of exactly this order; zero without one. */
  readonly own: bigint
  /** The greatest notional that an approval of exactly this order covers; null without one. */
  readonly approvedUpTo: bigint | null
  /** The lower worth of the mandate; null if unknown. */
  readonly worth: bigint | null
  /** Limits beyond the clauses that the order breaks, in the order in which they are judged. */
  readonly guards: readonly GuardFinding[]
}

/** The signed figures by which an order is judged. */
export type OrderTerms = Pick<
  Terms,
  'budget' | 'perTxCap' | 'dailyCap' | 'stopLine' | 'approvalAbove' | 'endsAt' | 'feeBps'
>

/** Codes of the rules of this module; a guard brings its own. */
export type OrderCode =
  | 'owner_only_reduces'
  | 'stopped_in_record'
  | 'stopped_by_owner'
  | 'stopped_by_stop_line'
  | 'mandate_paused'
  | 'mandate_not_working'
  | 'market_not_allowed'
  | 'over_per_tx_cap'
  | 'over_daily_cap'
  | 'mandate_ended'
  | 'approval_required'
  | 'stop_line_would_be_reached'
  | 'worth_unknown'

/** The first rule that an order breaks. */
export interface OrderRefusal {
  readonly kind: RefusalKind
  readonly clause: ClauseVerdict['clause'] | null
  readonly code: OrderCode | GuardFinding
}

/** The complete judgement of an order. */
export interface OrderAssessment {
  readonly attempt: OrderAttempt
  /** Verdicts of clauses 1 to 8, each independent of the others. */
  readonly verdicts: readonly ClauseVerdict[]
  /** Null if nothing refuses. */
  readonly refusal: OrderRefusal | null
  /** The largest notional that passes now for the same market and side, without a new decision of the owner; null: none. */
  readonly maxPassing: bigint | null
  /** Unix seconds at which the daily cap resets; null unless today's usage makes the daily cap refuse. */
  readonly resetsAt: bigint | null
}

/**
 * Judges an order of a leg: the mandate's state first, then the clauses, then the guards. An order that closes is judged by
 * the state alone: the position limits it. Throws RangeError for a negative amount.
 */
export function assessOrder(terms: OrderTerms, observed: OrderObserved, attempt: OrderAttempt): OrderAssessment {
  if (attempt.notional < 0n || attempt.loss < 0n) throw new RangeError('notional and loss must not be negative')
  const verdicts = orderVerdicts(terms, observed, attempt)
  const overDay = verdicts.some(({ clause, verdict }) => clause === 3 && verdict === 'refuse')
  return {
    attempt,
    verdicts,
    refusal: firstRefusal(terms, observed, attempt),
    maxPassing: largestPassing(terms, observed, attempt),
    resetsAt: overDay && observed.used > 0n ? nextUtcMidnight(attempt.at) : null,
  }
}

function firstRefusal(terms: OrderTerms, observed: OrderObserved, attempt: OrderAttempt): OrderRefusal | null {
  const refused = stateRefusal(terms, observed, attempt)
  if (refused !== null || !attempt.opening) return refused
  const [guard] = observed.guards
  return (
    clauseRefusal(terms, observed, attempt) ??
    (guard === undefined ? null : { kind: 'server_guard', clause: null, code: guard })
  )
}

/** An owner's stop and a pause end every right of the agent; after the stop line or the end it may close. */
function stateRefusal(terms: OrderTerms, observed: OrderObserved, attempt: OrderAttempt): OrderRefusal | null {
  const { by, opening, at } = attempt
  if (by === 'owner') return opening ? { kind: 'server_guard', clause: null, code: 'owner_only_reduces' } : null
  const stopped = (code: OrderCode, clause: 7 | null = null) => ({ kind: 'MandateStopped', clause, code }) as const
  if (observed.stop === 'owner_in_record') return stopped('stopped_in_record')
  if (observed.stop === 'owner') return stopped('stopped_by_owner')
  if (observed.paused) return stopped('mandate_paused')
  if (!opening) return null
  if (observed.stop === 'stop_line') return stopped('stopped_by_stop_line', 7)
  if (!observed.working && at < terms.endsAt) return { kind: 'server_guard', clause: null, code: 'mandate_not_working' }
  return null
}

function clauseRefusal(terms: OrderTerms, observed: OrderObserved, attempt: OrderAttempt): OrderRefusal | null {
  const { market, notional, at } = attempt
  if (!observed.markets.includes(market)) return { kind: 'TargetNotAllowed', clause: 4, code: 'market_not_allowed' }
  if (notional > terms.perTxCap) return { kind: 'OverPerTxCap', clause: 2, code: 'over_per_tx_cap' }
  if (notional > dayLeft(terms, observed)) return { kind: 'OverDailyCap', clause: 3, code: 'over_daily_cap' }
  if (at >= terms.endsAt) return { kind: 'MandateEnded', clause: 5, code: 'mandate_ended' }
  if (needsApproval(terms, observed, notional)) return { kind: 'server_guard', clause: 6, code: 'approval_required' }
  if (terms.stopLine === 0n) return null
  if (observed.worth === null) return { kind: 'server_guard', clause: 7, code: 'worth_unknown' }
  if (observed.worth - attempt.loss <= terms.stopLine)
    return { kind: 'server_guard', clause: 7, code: 'stop_line_would_be_reached' }
  return null
}

const dayLeft = ({ dailyCap }: OrderTerms, { used, held }: OrderObserved): bigint => headroomOf(dailyCap, used + held)

const needsApproval = (terms: OrderTerms, { approvedUpTo }: OrderObserved, notional: bigint): boolean =>
  terms.approvalAbove !== null && notional > terms.approvalAbove && (approvedUpTo === null || notional > approvedUpTo)

function largestPassing(terms: OrderTerms, observed: OrderObserved, attempt: OrderAttempt): bigint | null {
  if (stateRefusal(terms, observed, attempt) !== null) return null
  if (!attempt.opening) return attempt.notional
  // Another amount is another order: the approval of this one does not cover it, and its money stays held.
  const others = { ...observed, held: observed.held + observed.own, approvedUpTo: null, guards: [] }
  if (clauseRefusal(terms, others, { ...attempt, notional: 0n, loss: 0n }) !== null) return null
  const bounds = [terms.perTxCap, dayLeft(terms, others), ...stopLineBound(terms, observed, attempt)]
  const unapproved = terms.approvalAbove === null ? [] : [terms.approvalAbove]
  const within = [...bounds, ...unapproved].reduce((least, bound) => (bound < least ? bound : least))
  return attempt.notional > within && firstRefusal(terms, observed, attempt) === null ? attempt.notional : within
}

/** The notional at which the loss would reach the stop line, as the loss grows with the notional. */
function stopLineBound(terms: OrderTerms, { worth }: OrderObserved, { notional, loss }: OrderAttempt): bigint[] {
  if (terms.stopLine === 0n || worth === null || loss === 0n) return []
  return [((worth - terms.stopLine - 1n) * notional) / loss]
}

/** Returns the verdict of each of the eight clauses. An order that closes spends nothing. */
function orderVerdicts(terms: OrderTerms, observed: OrderObserved, attempt: OrderAttempt): readonly ClauseVerdict[] {
  const { opening, at, market } = attempt
  const notional = opening ? attempt.notional : 0n
  const listed = !opening || observed.markets.includes(market)
  const used = observed.used + observed.held
  return [
    budgetVerdict(terms.budget),
    spendingVerdict(2, { limit: terms.perTxCap, used: 0n, amount: notional }, guard),
    spendingVerdict(3, { limit: terms.dailyCap, used, amount: notional }, guard),
    listVerdict(listed, guard),
    endVerdict(terms.endsAt, at, opening, guard),
    approvalVerdict(terms.approvalAbove, notional, needsApproval(terms, observed, notional)),
    stopLine(terms, observed, attempt),
    feeVerdict(terms),
  ]
}

/** The vault does not see orders of the leg. */
const guard: EnforcedBy = 'guard'

function stopLine(terms: OrderTerms, { worth }: OrderObserved, { opening, loss }: OrderAttempt): ClauseVerdict {
  const after = worth === null ? null : headroomOf(worth, opening ? loss : 0n)
  const reached = opening && terms.stopLine !== 0n && after !== null && after <= terms.stopLine
  return stopLineVerdict(terms.stopLine, { worth, wouldBe: after, reached }, guard)
}
