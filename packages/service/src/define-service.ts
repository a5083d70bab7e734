import type { Contract, Environment } from '@svc/contract'
import type { Kit, Overrides } from './kit.ts'
import { runJob, runTask, type ExitCode } from './run-job.ts'
import { startService, type Definition, type RunningService } from './service.ts'

/** A service that can be started, or asked for one run of a job. */
export interface Service<K extends Contract = Contract, O extends Overrides = Overrides> {
  readonly contract: Contract
  /** Starts the service from its settings; resolves once it answers. */
  start(environment: Environment, overrides?: O): Promise<RunningService>
  /** Runs a job once and returns the exit code of the process. */
  runJob(name: string, environment: Environment, overrides?: O & { readonly dryRun?: boolean }): Promise<ExitCode>
  /** Runs another command, such as a repair, and returns the exit code of the process. */
  runTask(
    what: object,
    environment: Environment,
    work: (kit: Kit<K>) => Promise<object>,
    overrides?: O,
  ): Promise<ExitCode>
}

/** Defines a service from its contract and composition. */
export function defineService<K extends Contract, O extends Overrides = Overrides>(
  definition: Definition<K, O>,
): Service<K, O> {
  const { contract, publishers = [], prepare, compose } = definition
  return {
    contract,
    start: async (environment, overrides = {} as O) => {
      const prepared = (await prepare?.(environment)) ?? environment
      const composed = (kit: Kit<K>) => compose(kit, { environment: prepared, overrides })
      return startService(contract, publishers, prepared, composed, overrides)
    },
    runJob: (name, environment, overrides = {} as O) => runJob(definition, name, environment, overrides),
    runTask: (what, environment, work, overrides = {} as O) => runTask(definition, what, environment, work, overrides),
  }
}
