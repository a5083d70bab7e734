import { hlLeg } from '@svc/contracts/hl-leg'
import { defineService, runAsProcess } from '@svc/service'
import { createContext } from './context.ts'

const service = defineService({
  contract: hlLeg,
  compose: (kit) => {
    const { venue } = createContext(kit)
    return { handlers: {}, close: () => venue.close() }
  },
})
export const { start, runJob } = service

if (import.meta.main) await runAsProcess(service)
