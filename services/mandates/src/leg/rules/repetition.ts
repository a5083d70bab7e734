import { codeOf, type OrderAssessment } from '@svc/limits'

/** Causes that end the right to open, whatever was let through before. */
const OVER: ReadonlySet<string | null> = new Set([
  'stopped_in_record',
  'stopped_by_owner',
  'stopped_by_stop_line',
  'mandate_paused',
  'mandate_not_working',
  'mandate_ended',
])

/**
 * Returns true if the repetition of an order that was let through is judged again: it was withdrawn, it counts more than was
 * reserved, or the mandate was stopped meanwhile. An order that the venue resolved gets its former answer for ever.
 */
export function endsRepetition(
  known: { readonly reserved: bigint; readonly outcome: string | null },
  { notional, assessment }: { readonly notional: bigint; readonly assessment: Pick<OrderAssessment, 'refusal'> },
): boolean {
  if (known.outcome === 'withdrawn') return true
  return known.outcome === null && (notional > known.reserved || OVER.has(codeOf(assessment.refusal)))
}
