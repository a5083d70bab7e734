import type { MandateTerms } from '@svc/chain'
import type { z } from 'zod'
import { usdcText } from '@svc/limits'
import type { Context } from '#context.ts'
import { instantOf } from '#limits/engine-terms.ts'
import { liveWorkers, type Worker } from '#worth/store/workers.ts'
import type { clause } from '@svc/contracts/mandates/fields'

type Clause = z.output<typeof clause>

/** What holds the clauses now: the own switch for approvals, and the workers that run and act. */
export interface InForce {
  readonly approvalEnabled: boolean
  readonly workers: ReadonlySet<string>
}

export async function inForce({ pool, settings }: Pick<Context, 'pool' | 'settings'>, now: Date): Promise<InForce> {
  return { approvalEnabled: settings.approvalEnabled, workers: await liveWorkers(pool, now) }
}

/** Whom the stop line needs: one tells the vault its worth, the other closes what is open. */
const STOP_LINE_WORKERS: Readonly<Record<Worker, string>> = {
  mark: 'the mark worker',
  stop_line: 'the stop-line worker',
}

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
  live: InForce,
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

function forceOf(number: number, terms: MandateTerms, live: InForce): Pick<Clause, 'state' | 'state_reason'> {
  const pending = (state_reason: string) => ({ state: 'stored_pending', state_reason }) as const
  if (number === 6 && terms.approvalAbove !== null && !live.approvalEnabled)
    return pending('Approvals are switched off in this deployment: nothing is held.')
  const missing = Object.entries(STOP_LINE_WORKERS).flatMap(([name, title]) => (live.workers.has(name) ? [] : [title]))
  if (number === 7 && terms.stopLine !== 0n && missing.length > 0)
    return pending(
      `The mark worker and the stop-line worker must both run live; no live run was seen lately of: ${missing.join(', ')}. The vault itself stops the agent by the marks of the keeper.`,
    )
  return { state: 'in_force', state_reason: null }
}
