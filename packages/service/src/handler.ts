import type { AnswerOf, Caller, Contract, InputOf, OperationDeclaration } from '@svc/contract'
import type { Tx } from '@svc/postgres'
import type { Log } from './log.ts'

export interface Answer {
  readonly status: number
  readonly body: unknown
}

/** Facts and functions of a call, besides its input. */
export interface Call {
  readonly requestId: string
  /** Absolute, milliseconds since the epoch; check it before an irreversible step. */
  readonly deadline: number
  /** The end user; null for open operations without a credential and for operations between services. */
  readonly caller: Caller | null
  /**
   * Client address as the rate limits count it (IPv6 by /64); null with a caller and for operations between services.
   */
  readonly client: string | null
  /** Name of the calling service. */
  readonly from: string
  /** Idempotency-Key of an operation that stores its keys itself (`keepsKey`); null otherwise and without one. */
  readonly idempotencyKey: string | null
  /** Time of the call by the service's clock. */
  readonly now: Date
  /**
   * True if the caller asks what a call that moves money would do: `effect` rolls back what it wrote, no key is claimed and
   * no job woken. A handler that writes or sends outside of `effect` must not do so.
   */
  readonly isDryRun: boolean
  readonly log: Log
  /**
   * Runs all writes of the call in one transaction. With an Idempotency-Key the answer is stored in the same
   * transaction, provided that this attempt still has the claim. Call it at most once.
   */
  effect<A extends Answer>(work: (tx: Tx) => Promise<A>): Promise<A>
  /** Marks the answer as given before under the same Idempotency-Key, for an operation that stores its keys itself. */
  markReplayed(): void
}

export type Handler<D extends OperationDeclaration = OperationDeclaration> = (
  input: InputOf<D>,
  call: Call,
) => Promise<AnswerOf<D>>

/** Handler of any operation, as the server stores it. */
export type AnyHandler = (input: never, call: Call) => Promise<Answer>

/** Handler of an operation that is not yet bound to the context of its service. */
export type BoundHandler<C, D extends OperationDeclaration> = (context: C) => Handler<D>

/** List of all handlers of a service: a missing or misspelt operation does not compile. */
export type Handlers<C, K extends Contract> = {
  readonly [O in keyof K['operations']]: BoundHandler<C, K['operations'][O]>
}

/** Returns the caller of an operation whose `auth` guarantees one; throws without one. */
export function callerOf(call: Call): Caller {
  if (call.caller === null) throw new Error('the operation was called without a caller')
  return call.caller
}
