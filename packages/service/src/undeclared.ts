import { undeclaredNames, type Contract, type Environment } from '@svc/contract'
import { settingNamesOf } from '@svc/contracts'
import type { Log } from './log.ts'

/**
 * Names the variables that look like settings and that no service declares, in one line. Those of other services are
 * left out: a shared environment is no mistake.
 */
export async function warnUndeclared(contract: Contract, environment: Environment, log: Log): Promise<void> {
  const foreign = undeclaredNames(environment, settingNamesOf(contract))
  if (foreign.length === 0) return
  // Loaded only here: a process that gets what it declares never needs the contracts of all others.
  const { contracts } = await import('@svc/contracts/all')
  const known = new Set(contracts.flatMap((one) => [...settingNamesOf(one)]))
  const settings = foreign.filter((name) => !known.has(name))
  if (settings.length > 0)
    log.warn({ settings }, `no service declares these settings; they have no effect: ${settings.join(', ')}`)
}
