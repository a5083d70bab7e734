import { contracts } from '@svc/contracts/all'
import { gateway } from '@svc/contracts/gateway'
import { defineService, runAsProcess, type Overrides } from '@svc/service'
import { openGateway, type Extend } from './gateway.ts'

const service = defineService<typeof gateway, Overrides & { readonly extend?: Extend }>({
  contract: gateway,
  publishers: contracts,
  compose: (kit, { overrides }) => openGateway(kit, contracts, overrides.extend),
})
/** Starts the gateway; resolves once it listens. */
export const { start, runJob } = service

if (import.meta.main) await runAsProcess(service)
