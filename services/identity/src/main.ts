import { identity } from '@svc/contracts/identity'
import { bind, defineService, runAsProcess, type AnyHandler } from '@svc/service'
import { createContext, type Context } from './context.ts'
import { handlers } from './handlers.ts'
import { forgetEnded } from './credentials/jobs/forget-ended.ts'

const service = defineService({
  contract: identity,
  compose: async (kit, { environment }) => {
    const context = await createContext(kit, environment)
    return {
      handlers: bind<Context, AnyHandler>(handlers, context),
      jobs: { forgetEnded: forgetEnded(context, kit.clock) },
      close: async () => context.nonces.close(),
    }
  },
})
export const { start, runJob } = service

if (import.meta.main) await runAsProcess(service)
