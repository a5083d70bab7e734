import type { Tx } from '@svc/postgres'
import type { Clock, Log } from '@svc/service'
import type { z } from 'zod'
import type { End, Kind } from './rows.ts'
import type { Look } from './rules.ts'

/** An end with what its kind stores of it, in the same transaction: its own columns and its events. */
export interface Ending extends End {
  readonly store?: (tx: Tx) => Promise<void>
}

/** Signed bytes that are not stored yet. */
export interface Signed {
  /** Stores the bytes in the columns of their kind. Returns false, and changes nothing, if other ones are there. */
  readonly store: (tx: Tx) => Promise<boolean>
}

/** What is to be done with a planned effect: sign it, wait, or give it up. */
export type Plan<P> =
  | { readonly act: 'sign'; readonly plan: P }
  | { readonly act: 'wait' }
  | { readonly act: 'give_up'; readonly ending: Ending }

/** A look-up, with the end that it proves. Only the end for what it does prove is asked for; it may reject with an outage too. */
export interface Found extends Look {
  readonly endingOf: (evidence: 'done' | 'not_done') => Ending | Promise<Ending>
}

/**
 * What the other side answered to one copy.
 * - `done`: the effect happened.
 * - `refused`: this copy took no effect, and never will. `look` is what the other side found of the effect before it refused; absent if
 *   it did not look.
 * - `over`: nothing is certain, but the other side has finished with this copy: what it did shows in a look-up that begins afterwards.
 * - `unsent`: this copy never left, for the outage that is named.
 * - `unclear`: the copy may still take effect.
 */
export type Answer =
  | { readonly says: 'done'; readonly ending: Ending }
  | { readonly says: 'refused'; readonly ending: Ending; readonly look?: Look }
  | { readonly says: 'unsent'; readonly outage: unknown }
  | { readonly says: 'over' | 'unclear' }

/**
 * Connects the effects of a kind with the other side. It retries nothing, counts nothing and has no state. Each function may reject
 * with an outage: the effect is then due again.
 */
export interface Adapter<Row, P = unknown> {
  /** Decides, from a fresh reading, whether a planned effect is to be signed. */
  plan(row: Row): Promise<Plan<P>>
  sign(row: Row, plan: P): Promise<Signed>
  /**
   * Returns bytes that take the place of the stored ones, of which the other side lets one take effect, such as the same
   * transaction with a higher fee; null: the stored ones stay. Absent for a kind that replaces nothing.
   */
  replace?(row: Row): Promise<Signed | null>
  /** Sends one copy of the newest stored bytes. */
  send(row: Row): Promise<Answer>
  find(row: Row): Promise<Found>
  /** The time now, by the clock of `validUntil`. */
  now(): number
  /** The last time at which a copy of the stored bytes that leaves now may take effect; null: whenever it arrives. */
  validUntil(row: Row): number | null
  /** Facts for log lines; no secret and no bytes. */
  describe(row: Row): object
  /** Informs the neighbours of the end, idempotently. Returns true once they acknowledge it. Absent: nobody is informed. */
  report?(row: Row): Promise<boolean>
}

/** What a kind of effects needs to be driven. */
export interface OutboundOptions<S extends z.ZodObject> {
  readonly kind: Kind<S>
  readonly transaction: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
  readonly clock: Clock
  readonly log: Log
  /** How long a process works on a row without a sign of life before another one may take it over. Its statements extend it. */
  readonly claimMs: number
  /** Pause before an effect is worked on again. */
  readonly pauseMs: number
  /** Called in place of the log line about a look-up that contradicts itself, with how many of the effect have. */
  readonly onContradiction?: (id: number, count: number) => void
}
