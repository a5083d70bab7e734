import type { Assessment, RefusalCode, RefusalKind } from './assess.ts'
import type { ClauseVerdict } from './clauses.ts'
import { selectorOf } from './terms.ts'
import { usdcText } from './usdc.ts'

/** Where a refusal was seen. */
export type RefusalSource = 'chain' | 'venue' | 'server' | 'agent' | 'owner'

/** A clause's verdict on the wire. Figures are decimal strings in `unit`; null is unknown or not applicable. */
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

/** The standard refusal block. `kind`, `code`, `clause` and `fix` are null when nothing refuses. */
export interface RefusalBlock {
  readonly kind: RefusalKind | null
  readonly code: RefusalCode | null
  readonly clause: ClauseVerdict['clause'] | null
  readonly source: RefusalSource
  readonly limit: string | null
  /** The amount, `target:selector`, or the time of the attempt: what the refusing clause measures. */
  readonly attempted: string | null
  readonly remaining: string | null
  readonly unit: ClauseVerdict['unit'] | null
  readonly fix: string | null
  readonly verdicts: readonly VerdictLine[]
  readonly max_passing_amount_usdc: string | null
  /** RFC 3339 with milliseconds and Z. */
  readonly resets_at: string | null
}

/** Writes an assessment as the standard refusal block. */
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

function verdictLine({
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

function timeText(seconds: bigint): string {
  return new Date(Number(seconds) * 1000).toISOString()
}

function fixOf(code: RefusalCode, most: string | null, resetsAt: string | null): string {
  const askLess = most === null ? '' : ` At most ${most} USDC passes now.`
  switch (code) {
    case 'stopped_by_owner':
      return 'The owner stopped the vault for ever: the owner unwinds open positions; a new mandate is needed to trade again.'
    case 'stopped_by_stop_line':
      return 'The vault is stopped for ever: unwind open positions; a new mandate is needed to trade again.'
    case 'stopped_in_record':
      return 'The owner stopped the mandate: it takes no more calls. Positions can be unwound once its vault is stopped on the chain; a new mandate is needed to trade again.'
    case 'mandate_ended':
      return 'The mandate has ended: unwind open positions; a new mandate is needed to trade again.'
    case 'mandate_paused':
      return 'The owner paused the mandate: wait until it is resumed.'
    case 'caller_not_agent':
      return "Send the call from the agent's wallet that the vault names."
    case 'call_not_allowed':
      return 'Call only the functions of the targets that clause 4 lists, with at least their four bytes of selector.'
    case 'over_per_tx_cap':
      return `Ask for no more than the cap of one transaction.${askLess}`
    case 'over_daily_cap':
      return resetsAt === null ? `Ask for less.${askLess}` : `Ask for less, or wait until ${resetsAt}.${askLess}`
    case 'insufficient_funds':
      return `Sell first, or ask the owner to deposit.${askLess}`
    case 'stop_line_reached':
      return 'The worth has reached the stop line: sell or wait; the keeper is about to close the vault.'
    case 'funds_held_by_approvals':
    case 'daily_cap_held_by_approvals':
      return `Wait until the owner has decided the held approvals.${askLess}`
    case 'approval_required':
      return `Wait for the owner's approval of this call.${askLess}`
  }
}
