import type { BodyOf, OperationDeclaration, RequestOf } from '@svc/contract'
import type { chainIndexer } from '@svc/contracts/chain-indexer'
import type { gallery } from '@svc/contracts/gallery'
import type { hlLeg } from '@svc/contracts/hl-leg'
import type { hlRelay } from '@svc/contracts/hl-relay'
import type { hlTrade } from '@svc/contracts/hl-trade'
import type { identity } from '@svc/contracts/identity'
import type { keeper } from '@svc/contracts/keeper'
import type { mandates } from '@svc/contracts/mandates'
import type { marketData } from '@svc/contracts/market-data'
import type { mining } from '@svc/contracts/mining'
import type { researchReports } from '@svc/contracts/research-reports'
import type { subscriptions } from '@svc/contracts/subscriptions'

type Of<C extends { readonly operations: object }> = C['operations'][keyof C['operations']]

/** Every operation of the product. Types alone are imported, so no schema reaches the browser. */
type Operation =
  | Of<typeof chainIndexer>
  | Of<typeof gallery>
  | Of<typeof hlLeg>
  | Of<typeof hlRelay>
  | Of<typeof hlTrade>
  | Of<typeof identity>
  | Of<typeof keeper>
  | Of<typeof mandates>
  | Of<typeof marketData>
  | Of<typeof mining>
  | Of<typeof researchReports>
  | Of<typeof subscriptions>

/** A route of the API as contracts write it: `GET /hub/mandates/{public_id}`. */
export type Route = Extract<Operation, { readonly http: string }>['http']
export type ReadRoute = Extract<Route, `GET ${string}`>

/** The operation of a route, as it is declared: joined with the general type, its answers would be unknown. */
type OperationAt<R extends Route> =
  Extract<Operation, { readonly http: R }> extends infer D extends OperationDeclaration ? D : never

/** The body of a success answer of a route. */
export type Answer<R extends Route> = BodyOf<OperationAt<R>>

/** What a caller sends to a route: members of the path, the query or the body. */
export type Sent<R extends Route> = RequestOf<OperationAt<R>>
