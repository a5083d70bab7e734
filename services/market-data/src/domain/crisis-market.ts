import { marketReturn, type CrisisObservation } from './crisis-rules.ts'
import { newCrisisState, return60m, stepCrisis, type CrisisState, type CrisisStep } from './crisis.ts'

export interface MarketObservation extends Omit<CrisisObservation, 'marketReturn60m'> {
  /** Token instance. */
  readonly id: string
  /** The relative crash compares with the median return of this group: same venue, same quote. */
  readonly group: string
}

export interface MarketStep extends CrisisStep {
  readonly id: string
}

/**
 * One minute of a whole market: takes each group's median return, then steps every token. Answers one step per
 * observation, in order; a token without a state starts with a new one.
 */
export function stepMarket(
  states: ReadonlyMap<string, CrisisState>,
  observations: readonly MarketObservation[],
): MarketStep[] {
  const returns = new Map<string, (number | null)[]>()
  const stateOf = (id: string) => states.get(id) ?? newCrisisState()
  for (const { id, group, atMs, priceUsd } of observations) {
    const members = returns.get(group) ?? []
    members.push(return60m(stateOf(id), atMs, priceUsd))
    returns.set(group, members)
  }
  const medians = new Map([...returns].map(([group, members]) => [group, marketReturn(members)]))
  return observations.map((seen) => ({
    id: seen.id,
    ...stepCrisis(stateOf(seen.id), { ...seen, marketReturn60m: medians.get(seen.group) ?? null }),
  }))
}
