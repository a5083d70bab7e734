import { getPriority, setPriority } from 'node:os'
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

/** Nice value of the process. */
const NICENESS = 5

/** Lets the processes that hold keys have the processor first, where they share a machine with what strangers ask. */
export function yieldProcessor(): void {
  // A nicer process may not become less nice.
  if (getPriority() < NICENESS) setPriority(NICENESS)
}

if (import.meta.main) {
  yieldProcessor()
  await runAsProcess(service)
}
