import { hlRelay } from '@svc/contracts/hl-relay'
import { bind, defineService, runAsProcess, type AnyHandler } from '@svc/service'
import { createContext, type Context } from './context.ts'
import { handlers } from './handlers.ts'

const service = defineService({
  contract: hlRelay,
  compose: (kit) => {
    const context = createContext(kit)
    return {
      handlers: bind<Context, AnyHandler>(handlers, context),
      release: () => context.venue.close(),
    }
  },
})
export const { start, runJob } = service

if (import.meta.main) await runAsProcess(service)
