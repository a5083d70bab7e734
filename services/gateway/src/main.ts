import type { Environment } from '@svc/contract'
import { contracts } from '@svc/contracts/all'
import { gateway } from '@svc/contracts/gateway'
import { runAsProcess, startService, type Overrides, type RunningService } from '@svc/service'
import { openGateway } from './gateway.ts'

/** Starts the gateway; resolves once it listens. */
export function start(environment: Environment, overrides: Overrides = {}): Promise<RunningService> {
  return startService(gateway, contracts, environment, (kit) => openGateway(kit, contracts), overrides)
}

if (import.meta.main) await runAsProcess(start)
