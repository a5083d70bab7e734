import type { MandateTerms } from '@svc/chain'
import type { z } from 'zod'
import { figureNames, isLegMarket, limitFields, usdcText } from '@svc/limits'
import type { Context } from '#context.ts'
import { instantOf } from '#limits/engine-terms.ts'
import { liveWorkers, type Worker } from '#worth/store/workers.ts'
import type { clause } from '@svc/contracts/mandates/fields'

type Clause = z.output<typeof clause>

/** What puts the clauses in force: the setting for approvals, and the workers that run and act. */
export interface InForce {
  readonly approvalEnabled: boolean
  readonly workers: ReadonlySet<string>
}

export async function inForce({ pool, settings }: Pick<Context, 'pool' | 'settings'>, now: Date): Promise<InForce> {
  return { approvalEnabled: settings.approvalEnabled, workers: await liveWorkers(pool, now) }
}

/** Workers of the stop line: one marks the worth of the vault, the other closes positions at the leg. */
const STOP_LINE_WORKERS: Readonly<Record<Worker, string>> = {
  mark: 'the mark worker',
  stopLine: 'the stop-line worker',
}

/** Fields that a clause states. */
const STATED = [...figureNames, 'markets'] as const
type Stated = (typeof STATED)[number]

/** Fields whose clauses bind orders at the leg. The contract sees no order there. */
const LEG_CLAUSES: readonly Stated[] = ['perTxCap', 'dailyCap', 'markets', 'endsAt', 'approvalAbove', 'stopLine']

/** Returns the eight clauses with their signed texts, their enforcers, and whether each is in force. */
export function clausesView(
  terms: MandateTerms,
  texts: readonly { readonly number: number; readonly text: string }[],
  live: InForce,
): Clause[] {
  const hasLeg = terms.markets.some(({ id }) => isLegMarket(id))
  return texts.flatMap(({ number, text }) => {
    const field = STATED.find((name) => limitFields[name].clause.number === number)
    if (field === undefined) return []
    return {
      n: number,
      title: limitFields[field].clause.title,
      text,
      value: valueOf(field, terms),
      enforced_by: field === 'approvalAbove' ? 'guard' : 'contract',
      relies_on: field === 'stopLine' ? 'keeper' : null,
      leg_enforced_by: hasLeg && LEG_CLAUSES.includes(field) ? 'guard' : null,
      ...forceOf(field, terms, live),
    }
  })
}

/** Returns the value of a clause as text; null if the clause is switched off. */
function valueOf(field: Stated, terms: MandateTerms): string | null {
  switch (field) {
    case 'markets':
      return terms.markets.map(({ id }) => id).join(', ')
    case 'endsAt':
      return instantOf(terms.endsAt)
    case 'feeBps':
      return String(terms.feeBps)
    default: {
      const amount = terms[field]
      return amount === null || (field === 'stopLine' && amount === 0n) ? null : usdcText(amount)
    }
  }
}

function forceOf(field: Stated, terms: MandateTerms, live: InForce): Pick<Clause, 'state' | 'state_reason'> {
  const pending = (state_reason: string) => ({ state: 'stored_pending', state_reason }) as const
  if (field === 'approvalAbove' && terms.approvalAbove !== null && !live.approvalEnabled)
    return pending('Approvals are switched off in this deployment: nothing is held.')
  const missing = Object.entries(STOP_LINE_WORKERS).flatMap(([name, title]) => (live.workers.has(name) ? [] : [title]))
  if (field === 'stopLine' && terms.stopLine !== 0n && missing.length > 0)
    return pending(
      `The mark worker and the stop-line worker must both run live; no live run was seen lately of: ${missing.join(', ')}. The vault itself stops the agent by the marks of the keeper.`,
    )
  return { state: 'in_force', state_reason: null }
}
