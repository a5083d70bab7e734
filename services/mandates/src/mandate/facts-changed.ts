import { mandates } from '@svc/contracts/mandates'
import { HALL_MANDATES_MAX } from '@svc/contracts/mandates/facts'
import { emit, type Tx } from '@svc/postgres'
import { firstDay } from './rules/first-day.ts'
import type { Mandate } from './rules/mandate.ts'

/** A mandate of which facts changed, with the first UTC day that may differ; null: any day. */
export interface ChangedFacts {
  readonly public_id: string
  readonly agent_id: number
  readonly from_day: string | null
}

/** Publishes that facts of mandates changed from which the Hall is computed. */
export async function publishChanged(tx: Tx, changed: readonly ChangedFacts[]): Promise<void> {
  for (let from = 0; from < changed.length; from += HALL_MANDATES_MAX)
    await emit(tx, mandates.events.hallFactsChanged, { items: changed.slice(from, from + HALL_MANDATES_MAX) })
}

/**
 * Publishes that facts of a mandate changed, on the UTC day of `at` or later; null: on any day. Every transaction that stores
 * an execution, refusal, violation, flow or state calls it. Nothing is published of a mandate without an agent.
 */
export async function factsChanged(
  tx: Tx,
  { publicId, agent }: Pick<Mandate, 'publicId' | 'agent'>,
  at: Date | null,
): Promise<void> {
  if (agent === null) return
  const from_day = at === null ? null : firstDay(at)
  await publishChanged(tx, [{ public_id: publicId, agent_id: agent.id, from_day }])
}
