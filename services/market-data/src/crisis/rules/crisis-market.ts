import { marketReturn, type CrisisObservation } from './crisis-rules.ts'
import {
  endUnjudged,
  newCrisisState,
  return60m,
  silenceStrength,
  stepCrisis,
  type CrisisState,
  type CrisisStep,
} from './crisis.ts'

export interface MarketObservation extends Omit<CrisisObservation, 'marketReturn60m'> {
  /** Token instance. */
  readonly id: string
  /** Same venue and same quote. The relative crash compares with the median return of this group. */
  readonly group: string
}

export interface MarketStep extends CrisisStep {
  readonly id: string
}

/** If at least this many tokens and this share of a group are silent, the venue is silent, not the tokens. */
const outageTokensMin = 5
const outageShareMin = 0.2

interface Group {
  readonly returns: (number | null)[]
  readonly silences: (number | null)[]
}

/**
 * Steps every token of a market by one minute, given the median return of its group. If a fifth of a group would halt by
 * silence in the same minute, the venue has stopped or returns old data, so the trades of that group count as unknown.
 * Returns one step per observation, in order. A token without a state starts with a new one.
 */
export function stepMarket(
  states: ReadonlyMap<string, CrisisState>,
  observations: readonly MarketObservation[],
): MarketStep[] {
  const groups = new Map<string, Group>()
  const stateOf = (id: string) => states.get(id) ?? newCrisisState()
  for (const { id, group, atMs, priceUsd, candlePrices, trades } of observations) {
    const { returns, silences } = groups.get(group) ?? { returns: [], silences: [] }
    returns.push(return60m(stateOf(id), atMs, priceUsd, candlePrices))
    silences.push(silenceStrength(stateOf(id), trades))
    groups.set(group, { returns, silences })
  }
  const judged = new Map(
    [...groups].map(([group, { returns, silences }]) => [
      group,
      { marketReturn60m: marketReturn(returns), outage: isOutage(silences) },
    ]),
  )
  return observations.map((seen) => {
    const { marketReturn60m = null, outage = false } = judged.get(seen.group) ?? {}
    const trades = outage ? null : seen.trades
    return { id: seen.id, ...stepCrisis(stateOf(seen.id), { ...seen, trades, marketReturn60m }) }
  })
}

/** Returns a step for each token that was not observed in a minute and whose episode has not been judged for too long. */
export function endUnobserved(
  states: ReadonlyMap<string, CrisisState>,
  observed: ReadonlySet<string>,
  atMs: number,
): MarketStep[] {
  const steps: MarketStep[] = []
  for (const [id, state] of states) {
    if (observed.has(id)) continue
    const ended = endUnjudged(state, atMs)
    if (ended.closed.length > 0) steps.push({ id, ...ended, opened: [], worsened: [], judged: [], notJudged: null })
  }
  return steps
}

function isOutage(silences: readonly (number | null)[]): boolean {
  const known = silences.filter((strength) => strength !== null)
  const silent = known.filter((strength) => strength >= 1).length
  return silent >= outageTokensMin && silent >= outageShareMin * known.length
}
