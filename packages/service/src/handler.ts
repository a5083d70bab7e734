import type { AnswerOf, Caller, Contract, InputOf, OperationDeclaration } from '@svc/contract'
import type { Tx } from '@svc/postgres'
import type { Log } from './log.ts'

export interface Answer {
  readonly status: number
  readonly body: unknown
}

/** What a handler knows of the call besides its input. */
export interface Call {
  readonly requestId: string
  /** Absolute, milliseconds since the epoch; check it before an irreversible step. */
  readonly deadline: number
  /** The end user; null on open operations without a credential and on operations between services. */
  readonly caller: Caller | null
  /** Client address as rate rules count it (IPv6 by /64); null with a caller and on operations between services. */
  readonly client: string | null
  /** Name of the service that asks. */
  readonly from: string
  /** Time of the call by the service's clock. */
  readonly now: Date
  readonly log: Log
  /**
   * Runs all writes of the call in one transaction. With an Idempotency-Key the answer is stored
   * in the same transaction and only while this attempt still holds the claim. Use it once.
   */
  effect<A extends Answer>(work: (tx: Tx) => Promise<A>): Promise<A>
}

export type Handler<D extends OperationDeclaration = OperationDeclaration> = (
  input: InputOf<D>,
  call: Call,
) => Promise<AnswerOf<D>>

/** Any operation's function, as the server holds it. */
export type AnyHandler = (input: never, call: Call) => Promise<Answer>

/** An operation's function, waiting for the service's context. */
export type BoundHandler<C, D extends OperationDeclaration> = (context: C) => Handler<D>

/** The explicit list of a service: a missing or misspelt operation does not compile. */
export type Handlers<C, K extends Contract> = {
  readonly [O in keyof K['operations']]: BoundHandler<C, K['operations'][O]>
}

/** The caller of an operation whose auth word guarantees one. */
export function callerOf(call: Call): Caller {
  if (call.caller === null) throw new Error('operation was reached without a caller')
  return call.caller
}
