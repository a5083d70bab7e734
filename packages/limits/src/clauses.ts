import type { Attempt } from './attempt.ts'
import { mayMark, usageAt } from './ledger.ts'
import type { VaultState } from './state.ts'
import { isAllowed, selectorOf, type Terms } from './terms.ts'

/** Who stops an attempt that breaks a clause. The vault-only rules know no `venue`; a leg's venue rules do. */
export type EnforcedBy = 'contract' | 'venue' | 'guard' | 'server'

/** How one clause of the terms judges an attempt. Null is unknown, or that the clause has no such figure. */
export interface ClauseVerdict {
  /** 1 budget, 2 per transaction, 3 daily cap, 4 markets, 5 end date, 6 approval, 7 stop line, 8 fee. */
  readonly clause: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8
  /** The bound: at most, but for the stop line at least. */
  readonly limit: bigint | null
  /** What counts against it before the attempt. */
  readonly used: bigint | null
  /** What would count against it after the attempt. */
  readonly wouldBe: bigint | null
  /** What is left before the attempt; never negative. */
  readonly headroom: bigint | null
  /** USDC base units, Unix seconds, basis points, or a call that is listed or not. */
  readonly unit: 'usdc' | 'unix_seconds' | 'bps' | 'call'
  readonly verdict: 'pass' | 'refuse' | 'unknown'
  readonly enforcedBy: EnforcedBy
}

/** What is known of a mandate when an attempt is judged. */
export interface Observed {
  readonly vault: VaultState
  /** USDC that the vault's address holds, recognised or not. */
  readonly balance: bigint
  /** Worth of the whole mandate; null when it is unknown. */
  readonly worth: bigint | null
  /** USDC of approvals, pending or approved and not yet spent, other than the attempt's own. */
  readonly held: bigint
  /** USDC that the open approval of exactly this attempt holds; zero without one. */
  readonly own: bigint
  /** True when the owner has approved exactly this attempt. */
  readonly approved: boolean
  /** True when the owner stopped the mandate in the record; the vault may still be open. */
  readonly stoppedInRecord: boolean
}

/** What is left of a bound after what is used; never negative. */
export const headroomOf = (limit: bigint, used: bigint): bigint => (used < limit ? limit - used : 0n)

/** True when the worth is known and has reached a stop line that is set and was once exceeded by the principal. */
export function stopLineReached(terms: Terms, { vault, worth }: Observed): boolean {
  return terms.stopLine !== 0n && worth !== null && worth <= terms.stopLine && mayMark(terms, vault)
}

/** The verdict of each of the eight clauses, independent of one another. `observed.vault` has recognised its balance. */
export function clauseVerdicts(terms: Terms, observed: Observed, attempt: Attempt): readonly ClauseVerdict[] {
  const { vault, held, worth } = observed
  const { amount, at } = attempt
  const { selector, complete } = selectorOf(attempt.data)
  const listed = complete && isAllowed(terms, attempt.target, selector)
  return [
    spending(1, vault.accounted, 0n, held, amount),
    spending(2, terms.perTxCap, 0n, 0n, amount),
    spending(3, terms.dailyCap, usageAt(terms, vault, at).used, held, amount),
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

/** True when clause 6 holds this amount for the owner. */
export function needsApproval(terms: Terms, { approved }: Observed, amount: bigint): boolean {
  return terms.approvalAbove !== null && amount > terms.approvalAbove && !approved
}

const noFigures = { limit: null, used: null, wouldBe: null, headroom: null } as const

/** A bound on spending. What approvals hold is kept free by the guard alone: the contract does not know of it. */
function spending(clause: 1 | 2 | 3, limit: bigint, spent: bigint, held: bigint, amount: bigint): ClauseVerdict {
  const used = spent + held
  const headroom = headroomOf(limit, used)
  const onlyHeldRefuses = amount > headroom && amount <= headroomOf(limit, spent)
  return {
    clause,
    limit,
    used,
    wouldBe: used + amount,
    headroom,
    unit: 'usdc',
    verdict: amount > headroom ? 'refuse' : 'pass',
    enforcedBy: onlyHeldRefuses ? 'guard' : 'contract',
  }
}

/** What a trade makes of the worth is not known before it is made, so `wouldBe` is unknown. */
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
