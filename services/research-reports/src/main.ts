import { researchReports } from '@svc/contracts/research-reports'
import { bind, defineService, runAsProcess, type AnyHandler, type Job } from '@svc/service'
import { createContext, type Context } from './context.ts'
import { handlers } from './handlers.ts'
import { jobs } from './jobs.ts'

const service = defineService({
  contract: researchReports,
  compose: async (kit) => {
    const context = await createContext(kit)
    return {
      handlers: bind<Context, AnyHandler>(handlers, context),
      jobs: bind<Context, Job>(jobs, context),
      close: () => context.renderer.close(),
    }
  },
})
export const { start, runJob } = service

if (import.meta.main) await runAsProcess(service)
