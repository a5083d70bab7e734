import type { Refusal } from '@svc/contract'
import type { Bus, Log } from '@svc/service'
import type { FastifyInstance } from 'fastify'
import type { Admission, AdmissionOptions } from './admission.ts'
import type { AccessLog } from './answers.ts'
import type { Document } from './documents.ts'
import type { IsOn } from './flags.ts'
import type { Route } from './routes.ts'

/** A path that `serveMore` serves, with its methods. */
export interface ServedPlace {
  readonly path: string
  readonly methods: readonly string[]
}

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
  /**
   * Serves places that no operation declares, such as the tools of agents, and returns them; called once, after the
   * routes.
   */
  readonly serveMore?: (app: FastifyInstance, admission: Admission) => readonly ServedPlace[]
  /** Called once for every answer; must return at once. */
  readonly accessLog?: AccessLog
}
