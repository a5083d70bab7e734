import type { Contract, Environment } from '@svc/contract'
import { startService, type AnyHandler, type Kit, type Overrides, type RunningService } from '@svc/service'

/** A running service with the context that its functions and jobs use. */
export interface Still<C> {
  readonly service: RunningService
  readonly context: C
}

/** What a service is composed of, but for its jobs. */
interface Composed<C> {
  readonly context: C
  readonly handlers: Readonly<Record<string, AnyHandler>>
  readonly close?: () => Promise<void>
}

/** Starts a service that hears no events and whose jobs do nothing: a test runs them itself with the context. */
export async function startStill<K extends Contract, C>(
  contract: K,
  environment: Environment,
  compose: (kit: Kit<K>) => Composed<C>,
  overrides: Overrides,
): Promise<Still<C>> {
  const { promise, resolve } = Promise.withResolvers<C>()
  const service = await startService(
    { ...contract, consumes: [] },
    [],
    environment,
    (kit) => {
      const { context, ...parts } = compose(kit as Kit<K>)
      resolve(context)
      const jobs = Object.fromEntries(Object.keys(contract.jobs).map((name) => [name, async () => ({ done: 0 })]))
      return { ...parts, jobs }
    },
    overrides,
  )
  return { service, context: await promise }
}
