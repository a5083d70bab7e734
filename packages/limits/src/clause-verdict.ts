import type { Terms } from './terms.ts'

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

/** Returns what is left of a limit after what is used; never negative. */
export const headroomOf = (limit: bigint, used: bigint): bigint => (used < limit ? limit - used : 0n)

const noFigures = { limit: null, used: null, wouldBe: null, headroom: null } as const

/** Returns the verdict on the budget, which bounds deposits and no attempt: it passes. */
export const budgetVerdict = (budget: bigint): ClauseVerdict => ({
  clause: 1,
  ...noFigures,
  limit: budget,
  unit: 'usdc',
  verdict: 'pass',
  enforcedBy: 'contract',
})

/** Returns the verdict on an amount beside what is used of a limit on spending already. */
export function spendingVerdict(
  clause: 1 | 2 | 3,
  { limit, used, amount }: { readonly limit: bigint; readonly used: bigint; readonly amount: bigint },
  enforcedBy: EnforcedBy,
): ClauseVerdict {
  const headroom = headroomOf(limit, used)
  return {
    clause,
    limit,
    used,
    wouldBe: used + amount,
    headroom,
    unit: 'usdc',
    verdict: amount > headroom ? 'refuse' : 'pass',
    enforcedBy,
  }
}

/** Returns the verdict of the list of markets. */
export const listVerdict = (isListed: boolean, enforcedBy: EnforcedBy): ClauseVerdict => ({
  clause: 4,
  ...noFigures,
  unit: 'call',
  verdict: isListed ? 'pass' : 'refuse',
  enforcedBy,
})

/** Returns the verdict of the end date at a time in Unix seconds; `bound`: the attempt is one that the end stops. */
export const endVerdict = (endsAt: bigint, at: bigint, bound: boolean, enforcedBy: EnforcedBy): ClauseVerdict => ({
  clause: 5,
  limit: endsAt,
  used: at,
  wouldBe: at,
  headroom: headroomOf(endsAt, at),
  unit: 'unix_seconds',
  verdict: bound && at >= endsAt ? 'refuse' : 'pass',
  enforcedBy,
})

/** Returns the verdict of the approval threshold, which the guard alone enforces. */
export const approvalVerdict = (above: bigint | null, amount: bigint, isNeeded: boolean): ClauseVerdict => ({
  clause: 6,
  limit: above,
  used: above === null ? null : 0n,
  wouldBe: amount,
  headroom: above,
  unit: 'usdc',
  verdict: isNeeded ? 'refuse' : 'pass',
  enforcedBy: 'guard',
})

/** What is known of the worth: now, and after the attempt; null if unknown. */
interface WorthSeen {
  readonly worth: bigint | null
  readonly wouldBe: bigint | null
  readonly reached: boolean
}

/** Returns the verdict of the stop line; without the worth it is unknown, and a stop line of zero always passes. */
export function stopLineVerdict(
  line: bigint,
  { worth, wouldBe, reached }: WorthSeen,
  enforcedBy: EnforcedBy,
): ClauseVerdict {
  const off = line === 0n
  return {
    clause: 7,
    limit: off ? null : line,
    used: worth,
    wouldBe,
    headroom: off || worth === null ? null : headroomOf(worth, line),
    unit: 'usdc',
    verdict: reached ? 'refuse' : off || worth !== null ? 'pass' : 'unknown',
    enforcedBy,
  }
}

/** Returns the verdict on the fee, which bounds no attempt: it passes. */
export const feeVerdict = ({ feeBps }: Pick<Terms, 'feeBps'>): ClauseVerdict => ({
  clause: 8,
  ...noFigures,
  limit: feeBps,
  unit: 'bps',
  verdict: 'pass',
  enforcedBy: 'contract',
})
