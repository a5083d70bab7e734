import type { Assessment, RefusalCode, RefusalKind } from './assess.ts'
import type { ClauseVerdict } from './clauses.ts'
import { selectorOf } from './terms.ts'
import { usdcText } from './usdc.ts'

/** Who refused, or reported the refusal. */
export type RefusalSource = 'chain' | 'venue' | 'server' | 'agent' | 'owner'

/** The verdict of a clause on the wire. Figures are decimal strings in `unit`; null is unknown or not applicable. */
export interface VerdictLine {
  readonly clause: ClauseVerdict['clause']
  readonly limit: string | null
  readonly used: string | null
  readonly would_be: string | null
  readonly headroom: string | null
  readonly unit: ClauseVerdict['unit']
  readonly verdict: ClauseVerdict['verdict']
  readonly enforced_by: ClauseVerdict['enforcedBy']
}

/** The refusal block of answers. `kind`, `code`, `clause` and `fix` are null if nothing refuses. */
export interface RefusalBlock {
  readonly kind: RefusalKind | null
  readonly code: RefusalCode | null
  readonly clause: ClauseVerdict['clause'] | null
  readonly source: RefusalSource
  readonly limit: string | null
  /** What the refusing clause measures: the amount, `target:selector`, or the time of the attempt. */
  readonly attempted: string | null
  readonly remaining: string | null
  readonly unit: ClauseVerdict['unit'] | null
  readonly fix: string | null
  readonly verdicts: readonly VerdictLine[]
  readonly max_passing_amount_usdc: string | null
  /** RFC 3339 with milliseconds and Z. */
  readonly resets_at: string | null
}

/** Returns an assessment as the refusal block of answers. */
export function refusalBlock(assessment: Assessment, source: RefusalSource): RefusalBlock {
  const { refusal, verdicts, maxPassing } = assessment
  const lines = verdicts.map(verdictLine)
  const refusing = lines.find(({ clause }) => clause === refusal?.clause)
  const most = maxPassing === null ? null : usdcText(maxPassing)
  const resetsAt = assessment.resetsAt === null ? null : timeText(assessment.resetsAt)
  return {
    kind: refusal?.kind ?? null,
    code: refusal?.code ?? null,
    clause: refusal?.clause ?? null,
    source,
    limit: refusing?.limit ?? null,
    attempted: refusing === undefined ? null : attempted(assessment, refusing.unit),
    remaining: refusing?.headroom ?? null,
    unit: refusing?.unit ?? null,
    fix: refusal === null ? null : fixOf(refusal.code, most, resetsAt),
    verdicts: lines,
    max_passing_amount_usdc: most,
    resets_at: resetsAt,
  }
}

/** Returns the verdict of a clause as answers have it. */
export function verdictLine({
  clause,
  limit,
  used,
  wouldBe,
  headroom,
  unit,
  verdict,
  enforcedBy,
}: ClauseVerdict): VerdictLine {
  const text = (figure: bigint | null) => (figure === null ? null : unit === 'usdc' ? usdcText(figure) : String(figure))
  return {
    clause,
    limit: text(limit),
    used: text(used),
    would_be: text(wouldBe),
    headroom: text(headroom),
    unit,
    verdict,
    enforced_by: enforcedBy,
  }
}

function attempted({ attempt }: Assessment, unit: VerdictLine['unit']): string | null {
  switch (unit) {
    case 'usdc':
      return usdcText(attempt.amount)
    case 'call':
      return `${attempt.target}:${selectorOf(attempt.data).selector}`
    case 'unix_seconds':
      return String(attempt.at)
    case 'bps':
      return null
  }
}

/** Returns Unix seconds as RFC 3339. */
export function timeText(seconds: bigint): string {
  return new Date(Number(seconds) * 1000).toISOString()
}

function fixOf(code: RefusalCode, most: string | null, resetsAt: string | null): string {
  const askLess = most === null ? '' : ` At most ${most} USDC passes now.`
  switch (code) {
    case 'stopped_by_owner':
      return 'The owner stopped the vault for good and unwinds open positions. To trade again, ask for a new mandate.'
    case 'stopped_by_stop_line':
      return 'The stop line stopped the vault for good: unwind open positions. To trade again, ask for a new mandate.'
    case 'stopped_in_record':
      return 'The owner stopped the mandate, so no more calls pass. Positions can be unwound once the vault is stopped on the chain. To trade again, ask for a new mandate.'
    case 'mandate_ended':
      return 'The mandate has ended: unwind open positions. To trade again, ask for a new mandate.'
    case 'mandate_paused':
      return 'The owner paused the mandate: wait until it is resumed.'
    case 'caller_not_agent':
      return "Send the call from the agent's wallet that the vault names."
    case 'call_not_allowed':
      return 'Call only functions that clause 4 lists. Calldata must start with the four bytes of the selector.'
    case 'over_per_tx_cap':
      return `Ask for at most the per-transaction cap.${askLess}`
    case 'over_daily_cap':
    case 'daily_cap_used_by_leg':
      return resetsAt === null ? `Ask for less.${askLess}` : `Ask for less, or wait until ${resetsAt}.${askLess}`
    case 'insufficient_funds':
      return `Sell first, or ask the owner to deposit.${askLess}`
    case 'stop_line_reached':
      return 'The worth has reached the stop line: sell, or wait. The keeper is about to stop the vault.'
    case 'funds_held_by_approvals':
    case 'daily_cap_held_by_approvals':
      return `Wait until the open approvals are decided or used.${askLess}`
    case 'approval_required':
      return `Wait for the owner's approval of this call.${askLess}`
  }
}
