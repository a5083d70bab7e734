import type { MarketObservation } from '@svc/market-data/crisis/rules/crisis-market'
import type { CrisisRule } from '@svc/market-data/crisis/rules/crisis-rules'

/**
 * What a recording is, said before anything was measured on it. `calm`: nothing is known that should alert, so every alert
 * is false. `crisis`: alerts on the pairs in danger are true. `stress`: a whole market falls; an alert on a pair that did
 * not collapse counts as false, which overstates their number. `synthetic`: made up, and never counted with the others.
 */
export type Kind = 'calm' | 'crisis' | 'stress' | 'synthetic'

/** A recording as the crisis rules observe it. */
export interface Replay {
  readonly name: string
  readonly kind: Kind
  readonly from: string
  readonly to: string
  readonly pairs: number
  /** Minutes between observations. */
  readonly stepMinutes: number
  /** The only rule that it can judge, if there is one; such a recording is not part of the sum over all rules. */
  readonly only?: CrisisRule
  /** Ids of the pairs that are in danger in a crisis. */
  readonly inDanger: ReadonlySet<string>
  /** Observations of each step, in order. The first ones warm the rules up and are not measured before `from`. */
  readonly steps: Iterable<readonly MarketObservation[]>
}
