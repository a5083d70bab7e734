import type { Attempt } from './attempt.ts'
import { mayMark, usageAt } from './ledger.ts'
import type { VaultState } from './state.ts'
import { isAllowed, selectorOf, type Terms } from './terms.ts'

/** Who stops an attempt that breaks a clause. Only the rules of a leg use `venue`. */
export type EnforcedBy = 'contract' | 'venue' | 'guard' | 'server'

/** Verdict of a clause on an attempt. A figure is null if it is unknown or the clause has no such figure. */
export interface ClauseVerdict {
  /** 1 budget, 2 per transaction, 3 daily cap, 4 markets, 5 end date, 6 approval, 7 stop line, 8 fee. */
  readonly clause: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8
  /** Upper bound; for the stop line the lower bound. */
  readonly limit: bigint | null
  /** What counts against the limit before the attempt. */
  readonly used: bigint | null
  /** What would count against the limit after the attempt. */
  readonly wouldBe: bigint | null
  /** What is left of the limit before the attempt; never negative. */
  readonly headroom: bigint | null
  /** USDC base units, Unix seconds, basis points, or `call`: a call is listed or not. */
  readonly unit: 'usdc' | 'unix_seconds' | 'bps' | 'call'
  readonly verdict: 'pass' | 'refuse' | 'unknown'
  readonly enforcedBy: EnforcedBy
}

/** What is known about a mandate when an attempt is judged. */
export interface Observed {
  readonly vault: VaultState
  /** USDC balance of the vault's address, recognised or not. */
  readonly balance: bigint
  /** Worth of the whole mandate; null if unknown. */
  readonly worth: bigint | null
  /** USDC held by approvals, pending or approved and not yet spent, except the attempt's own approval. */
  readonly held: bigint
  /** USDC held by the open approval of exactly this attempt; zero without one. */
  readonly own: bigint
  /** What orders of the leg use of today's daily cap: fills of opens, and reservations. Not money of the vault. */
  readonly legUsed: bigint
  /** What open approvals of the leg's orders hold of the daily cap. Not money of the vault. */
  readonly legHeld: bigint
  /** True if the owner has approved exactly this attempt. */
  readonly approved: boolean
  /** True if the owner stopped the mandate in the record; the vault may still be open. */
  readonly stoppedInRecord: boolean
}

/** Returns what is left of a limit after what is used; never negative. */
export const headroomOf = (limit: bigint, used: bigint): bigint => (used < limit ? limit - used : 0n)

/** Returns true if the known worth has reached the stop line. A stop line that the principal never exceeded is not reached. */
export function stopLineReached(terms: Terms, { vault, worth }: Observed): boolean {
  return terms.stopLine !== 0n && worth !== null && worth <= terms.stopLine && mayMark(terms, vault)
}

/** Returns the verdict of each of the eight clauses, each independent of the others. `observed.vault` must have recognised its balance. */
export function clauseVerdicts(terms: Terms, observed: Observed, attempt: Attempt): readonly ClauseVerdict[] {
  const { vault, held, legUsed, legHeld, worth } = observed
  const { amount, at } = attempt
  const { selector, complete } = selectorOf(attempt.data)
  const listed = complete && isAllowed(terms, attempt.target, selector)
  return [
    spending(1, vault.accounted, 0n, held, amount),
    spending(2, terms.perTxCap, 0n, 0n, amount),
    spending(3, terms.dailyCap, usageAt(terms, vault, at).used, held + legUsed + legHeld, amount),
    { clause: 4, ...noFigures, unit: 'call', verdict: listed ? 'pass' : 'refuse', enforcedBy: 'contract' },
    {
      clause: 5,
      limit: terms.endsAt,
      used: at,
      wouldBe: at,
      headroom: headroomOf(terms.endsAt, at),
      unit: 'unix_seconds',
      verdict: at < terms.endsAt ? 'pass' : 'refuse',
      enforcedBy: 'contract',
    },
    {
      clause: 6,
      limit: terms.approvalAbove,
      used: terms.approvalAbove === null ? null : 0n,
      wouldBe: amount,
      headroom: terms.approvalAbove,
      unit: 'usdc',
      verdict: needsApproval(terms, observed, amount) ? 'refuse' : 'pass',
      enforcedBy: 'guard',
    },
    stopLine(terms, observed, worth),
    { clause: 8, ...noFigures, limit: terms.feeBps, unit: 'bps', verdict: 'pass', enforcedBy: 'contract' },
  ]
}

/** Returns true if clause 6 makes this amount wait for the owner. */
export function needsApproval(terms: Terms, { approved }: Observed, amount: bigint): boolean {
  return terms.approvalAbove !== null && amount > terms.approvalAbove && !approved
}

const noFigures = { limit: null, used: null, wouldBe: null, headroom: null } as const

/** Judges a limit on spending. The contract knows what calls spent; only the guard counts approvals and the leg (`beside`). */
function spending(clause: 1 | 2 | 3, limit: bigint, spent: bigint, beside: bigint, amount: bigint): ClauseVerdict {
  const used = spent + beside
  const headroom = headroomOf(limit, used)
  const onlyGuardRefuses = amount > headroom && amount <= headroomOf(limit, spent)
  return {
    clause,
    limit,
    used,
    wouldBe: used + amount,
    headroom,
    unit: 'usdc',
    verdict: amount > headroom ? 'refuse' : 'pass',
    enforcedBy: onlyGuardRefuses ? 'guard' : 'contract',
  }
}

/** Judges the stop line. The worth after a trade is not known before the trade, so `wouldBe` is unknown. */
function stopLine(terms: Terms, observed: Observed, worth: bigint | null): ClauseVerdict {
  const off = terms.stopLine === 0n
  const tripped = observed.vault.stopReason === 2
  const reached = tripped || stopLineReached(terms, observed)
  return {
    clause: 7,
    limit: off ? null : terms.stopLine,
    used: worth,
    wouldBe: null,
    headroom: off || worth === null ? null : headroomOf(worth, terms.stopLine),
    unit: 'usdc',
    verdict: reached ? 'refuse' : off || worth !== null ? 'pass' : 'unknown',
    enforcedBy: tripped ? 'contract' : 'guard',
  }
}
