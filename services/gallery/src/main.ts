import { gallery } from '@svc/contracts/gallery'
import { bind, defineService, runAsProcess, type AnyHandler } from '@svc/service'
import { createContext, type Context } from './context.ts'
import { handlers } from './handlers.ts'

const service = defineService({
  contract: gallery,
  compose: (kit) => ({ handlers: bind<Context, AnyHandler>(handlers, createContext(kit)) }),
})
export const { start } = service

if (import.meta.main) await runAsProcess(service)
