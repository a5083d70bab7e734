import { undeclaredNames, type Contract, type Environment } from '@svc/contract'
import { settingNamesOf } from '@svc/contracts'
import type { Log } from './log.ts'

/**
 * Logs one line with the variables that look like settings but that no service declares. Those of other services are
 * left out, because a shared environment is legitimate.
 */
export async function warnUndeclared(contract: Contract, environment: Environment, log: Log): Promise<void> {
  const foreign = undeclaredNames(environment, settingNamesOf(contract))
  if (foreign.length === 0) return
  // Loaded only here: a process without undeclared variables does not need the contracts of all services.
  const { contracts } = await import('@svc/contracts/all')
  const known = new Set(contracts.flatMap((one) => [...settingNamesOf(one)]))
  const settings = foreign.filter((name) => !known.has(name))
  if (settings.length > 0)
    log.warn({ settings }, `no service declares these settings; they have no effect: ${settings.join(', ')}`)
}
