import type { Assessment, RefusalCode, RefusalKind } from './assess.ts'
import type { ClauseVerdict } from './clause-verdict.ts'
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

/** What every judgement has, whatever it judged. */
interface Judged {
  readonly verdicts: readonly ClauseVerdict[]
  readonly refusal: { readonly kind: RefusalKind; readonly clause: ClauseVerdict['clause'] | null } | null
  readonly maxPassing: bigint | null
  readonly resetsAt: bigint | null
}

/** Returns what the block of any judgement says: the refusing clause with its figures, all verdicts, and what would pass. */
export function judgedFigures({ refusal, verdicts, maxPassing, resetsAt }: Judged) {
  const lines = verdicts.map(verdictLine)
  const refusing = lines.find(({ clause }) => clause === refusal?.clause)
  return {
    kind: refusal?.kind ?? null,
    clause: refusal?.clause ?? null,
    limit: refusing?.limit ?? null,
    remaining: refusing?.headroom ?? null,
    unit: refusing?.unit ?? null,
    verdicts: lines,
    max_passing_amount_usdc: maxPassing === null ? null : usdcText(maxPassing),
    resets_at: resetsAt === null ? null : timeText(resetsAt),
  }
}

/** Returns an assessment as the refusal block of answers. */
export function refusalBlock(assessment: Assessment, source: RefusalSource): RefusalBlock {
  const { refusal } = assessment
  const figures = judgedFigures(assessment)
  return {
    ...figures,
    code: refusal?.code ?? null,
    source,
    attempted: figures.unit === null ? null : attempted(assessment, figures.unit),
    fix: refusal === null ? null : fixOf(refusal.code, figures),
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
function timeText(seconds: bigint): string {
  return new Date(Number(seconds) * 1000).toISOString()
}

/** Returns the sentence that names what passes now; empty if nothing does. */
export const askLessText = (most: string | null): string => (most === null ? '' : ` At most ${most} USDC passes now.`)

/** Returns the fix of a call or an order over the daily cap. */
export const overDayFix = (most: string | null, resetsAt: string | null): string =>
  `Ask for less${resetsAt === null ? '' : `, or wait until ${resetsAt}`}.${askLessText(most)}`

/** Figures that the fix of a refusal names. */
export type Figures = ReturnType<typeof judgedFigures>

/** Returns the fix of a call or an order over the per-transaction cap, with what the owner would have to approve. */
export function overCapFix({ max_passing_amount_usdc: most, verdicts }: Figures): string {
  const limitOf = (clause: number) => verdicts.find((one) => one.clause === clause)?.limit ?? null
  const [cap, unapproved] = [limitOf(2), limitOf(6)]
  const isAsked = most !== null && most === unapproved && unapproved !== cap
  return `Ask for at most the per-transaction cap.${askLessText(most)}${isAsked ? ` More, up to ${cap} USDC, waits for the owner's approval.` : ''}`
}

function fixOf(code: RefusalCode, figures: Figures): string {
  const { max_passing_amount_usdc: most, resets_at: resetsAt } = figures
  const askLess = askLessText(most)
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
      return overCapFix(figures)
    case 'over_daily_cap':
    case 'daily_cap_used_by_leg':
      return overDayFix(most, resetsAt)
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
