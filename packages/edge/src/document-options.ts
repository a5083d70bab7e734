import type { Contract, Refusal } from '@svc/contract'
import type { OpenLimits } from './admission.ts'
import type { AccountLimits } from './allowance.ts'
import type { DescribedPlace } from './described-place.ts'
import type { Route } from './routes.ts'

/** A reason why `/health` is not ok. */
export interface HealthProblem {
  readonly code: string
  /** One sentence for an operator; it has no secrets, because `/health` is public. */
  readonly message: string
}

/** Input of the printers of documents. */
export interface DocumentOptions extends AccountLimits {
  readonly contracts: readonly Contract[]
  readonly routes: readonly Route[]
  /** Places beside the routes, open to everybody; default: none. */
  readonly places?: readonly DescribedPlace[]
  readonly refusals: ReadonlyMap<string, Refusal>
  readonly publicUrl: string
  readonly version: string
  /** Examples of successful answers, by `<service>.<operation> <status>`. */
  readonly examples: Readonly<Record<string, unknown>>
  readonly openLimits: OpenLimits
  /** Addresses of wallets that `/discovery` lists; default: none. */
  readonly walletLinks?: readonly string[]
  /** Returns false for a route whose tool is switched off now; all tools are printed without it. */
  readonly isToolOn?: (route: Route) => boolean
  /** Returns what is wrong now, for `/health`; default: nothing. */
  readonly healthProblems?: () => readonly HealthProblem[]
  /** Further services of the API catalogue (RFC 9727), as objects of its link set. */
  readonly more?: readonly Readonly<Record<string, unknown>>[]
}
