import type { Refusal } from '@svc/contract'
import type { Bus, Log } from '@svc/service'
import type { AdmissionOptions } from './admission.ts'
import type { AccessLog } from './answers.ts'
import type { Document } from './documents.ts'
import type { IsOn } from './flags.ts'
import type { Route } from './routes.ts'

/** What an edge is built from. */
export interface EdgeOptions extends AdmissionOptions {
  readonly routes: readonly Route[]
  readonly documents: readonly Document[]
  /** Other paths that lead to documents: from → to. */
  readonly redirects?: ReadonlyMap<string, string>
  readonly bus: Bus
  readonly log: Log
  readonly trustedProxies: readonly string[]
  readonly webOrigins: readonly string[]
  /** Whether the switch of a route is on; asked on every request. */
  readonly isOn: IsOn
  /** Registry of every code, for bodies that come from services. */
  readonly refusals: ReadonlyMap<string, Refusal>
  /** Told of every answer, once; must return at once. */
  readonly accessLog?: AccessLog
}
