import type { Refusal } from '@svc/contract'
import type { Bus, Log } from '@svc/service'
import type { AdmissionOptions } from './admission.ts'
import type { AccessLog } from './answers.ts'
import type { Document } from './documents.ts'
import type { IsOn } from './flags.ts'
import type { Route } from './routes.ts'

/** Input of `buildEdge`. */
export interface EdgeOptions extends AdmissionOptions {
  readonly routes: readonly Route[]
  readonly documents: readonly Document[]
  /** Redirects to documents: from → to. */
  readonly redirects?: ReadonlyMap<string, string>
  /** The page for people at an address under its path that has none; programs get problem details. */
  readonly missingPage?: { readonly under: string; readonly page: Document }
  readonly bus: Bus
  readonly log: Log
  readonly trustedProxies: readonly string[]
  readonly webOrigins: readonly string[]
  /** Origin of the pages of this deployment; only they may keep secrets in cookies. */
  readonly webOrigin: string
  /** Returns true if the switch of a route is on; called on every request. */
  readonly isOn: IsOn
  /** Registry of every code, for bodies that come from services. */
  readonly refusals: ReadonlyMap<string, Refusal>
  /** Called once for every answer; must return at once. */
  readonly accessLog?: AccessLog
}
