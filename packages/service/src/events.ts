import { consumerOf, streamOf, type Contract, type Event } from '@svc/contract'
import type { Tx } from '@svc/postgres'

/** An event as a reaction receives it. */
export interface Delivered<P> {
  readonly id: string
  readonly seq: number
  readonly at: string
  readonly payload: P
}

/** How a service reacts to an event of another. `P` is the event's payload, `R` what `prepare` returns. */
export interface Reaction<P = never, R = never> {
  /** Calls other services, outside any transaction. May run several times for one event, so it must not write. */
  readonly prepare?: (event: Delivered<P>) => Promise<unknown>
  /** Writes the effect, which commits together with the inbox row: exactly once. */
  readonly apply: (tx: Tx, event: Delivered<P>, prepared: R) => Promise<void>
}

type Asynchronous = (...given: never[]) => Promise<unknown>
/** Names of the members of a context that are asynchronous or have an asynchronous method, such as clients and pools. */
type Asking<C> = {
  [K in keyof C]: C[K] extends Asynchronous ? K : Extract<C[K][keyof C[K]], Asynchronous> extends never ? never : K
}[keyof C]

/**
 * The members of a service's context that `apply` may use: none of them calls another service or takes a connection.
 */
export type Local<C, K extends Exclude<keyof C, Asking<C>>> = Pick<C, K>

/** A reaction that waits for the service's context `C`; `L` is its `Local` part. */
export interface BoundReaction<C, L, P = never, R = void> {
  readonly prepare?: (context: C) => (event: Delivered<P>) => Promise<R>
  readonly apply: (context: L) => (tx: Tx, event: Delivered<P>, prepared: R) => Promise<void>
}

/** The reactions of a service, by `<service>.<event>`. */
export type Reactions<C, L> = Readonly<
  Record<
    string,
    {
      readonly prepare?: (context: C) => (event: Delivered<never>) => Promise<unknown>
      readonly apply: (context: L) => Reaction['apply']
    }
  >
>

/** Binds each reaction of an explicit list to the context. */
export function bindReactions<C extends L, L>(list: Reactions<C, L>, context: C): Record<string, Reaction> {
  return Object.fromEntries(
    Object.entries(list).map(([key, { prepare, apply }]): [string, Reaction] => [
      key,
      { apply: apply(context), ...(prepare === undefined ? {} : { prepare: prepare(context) }) },
    ]),
  )
}

/** Returns the streams and durable consumers that a set of contracts needs; only the provisioner creates them. */
export function topology(contracts: readonly Contract[]): {
  streams: { name: string; subjects: string[] }[]
  consumers: { stream: string; durable: string; subject: string }[]
} {
  const known = new Map(
    contracts.flatMap((contract) =>
      Object.values(contract.events as Record<string, Event>).map((event) => [`${event.service}.${event.key}`, event]),
    ),
  )
  return {
    streams: contracts
      .filter((contract) => Object.keys(contract.events).length > 0)
      .map((contract) => ({ name: streamOf(contract.name), subjects: [`evt.${contract.name}.>`] })),
    consumers: contracts.flatMap((contract) =>
      contract.consumes.map((name) => {
        const event = known.get(name)
        if (event === undefined) throw new Error(`${contract.name} consumes ${name}, which no contract declares`)
        return {
          stream: streamOf(event.service),
          durable: consumerOf(contract.name, event.key),
          subject: event.subject,
        }
      }),
    ),
  }
}
