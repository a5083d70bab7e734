import { contracts } from '@svc/contracts/all'
import { gateway } from '@svc/contracts/gateway'
import { defineService, runAsProcess } from '@svc/service'
import { openGateway } from './gateway.ts'

const service = defineService({
  contract: gateway,
  publishers: contracts,
  compose: (kit) => openGateway(kit, contracts),
})
/** Starts the gateway; resolves once it listens. */
export const { start, runJob } = service

if (import.meta.main) await runAsProcess(service)
