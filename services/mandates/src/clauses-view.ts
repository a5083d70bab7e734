import type { MandateTerms } from '@svc/chain'
import type { z } from 'zod'
import type { clause } from '@svc/contracts/mandates-fields'
import { usdcText } from '@svc/limits'
import type { Context } from './context.ts'
import { instantOf } from './engine-terms.ts'

type Clause = z.output<typeof clause>
type Live = Pick<Context['settings'], 'approvalEnabled' | 'keeperMarkDryRun' | 'stopLineDryRun'>

const TITLES = [
  'Budget',
  'Per-transaction cap',
  'Daily cap',
  'Allowed markets',
  'End date',
  'Approval amount',
  'Stop line',
  'Fee and settlement',
] as const

/** The eight clauses with the words that are signed, who enforces each, and whether it is in force. */
export function clausesView(
  terms: MandateTerms,
  texts: readonly { readonly number: number; readonly text: string }[],
  live: Live,
): Clause[] {
  return texts.map(({ number, text }) => ({
    n: number,
    title: TITLES[number - 1] ?? '',
    text,
    value: valueOf(number, terms),
    enforced_by: number === 6 ? 'guard' : 'contract',
    ...forceOf(number, terms, live),
  }))
}

function valueOf(number: number, terms: MandateTerms): string | null {
  switch (number) {
    case 1:
      return usdcText(terms.budget)
    case 2:
      return usdcText(terms.perTxCap)
    case 3:
      return usdcText(terms.dailyCap)
    case 4:
      return terms.markets.map(({ id }) => id).join(', ')
    case 5:
      return instantOf(terms.endsAt)
    case 6:
      return terms.approvalAbove === null ? null : usdcText(terms.approvalAbove)
    case 7:
      return terms.stopLine === 0n ? null : usdcText(terms.stopLine)
    default:
      return String(terms.feeBps)
  }
}

function forceOf(number: number, terms: MandateTerms, live: Live): Pick<Clause, 'state' | 'state_reason'> {
  const pending = (state_reason: string) => ({ state: 'stored_pending', state_reason }) as const
  if (number === 6 && terms.approvalAbove !== null && !live.approvalEnabled)
    return pending('Approvals are switched off in this deployment: nothing is held.')
  if (number === 7 && terms.stopLine !== 0n && (live.keeperMarkDryRun || live.stopLineDryRun))
    return pending(
      'The mark worker and the stop-line worker must both run live; the vault stops the agent by the marks of the keeper.',
    )
  return { state: 'in_force', state_reason: null }
}
