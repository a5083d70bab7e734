import type { Environment } from '@svc/contract'
import type { gallery } from '@svc/contracts/gallery'
import type { Command, ExitCode, Overrides, Service } from '@svc/service'
import { createContext } from '#context.ts'
import { RATING_METHOD } from './rules/rate-days.ts'
import { beginRebuild, dropFacts } from './store/rebuilds.ts'

type Gallery = Pick<Service<typeof gallery>, 'runTask'>

/** The command `--rebuild-facts`. */
export const rebuildCommand = (service: Gallery): Command => ({
  usage: '--rebuild-facts  drops all facts of agents and mandates; the running service asks for them again',
  run: ([first, ...more]) =>
    first === '--rebuild-facts' && more.length === 0 ? runRebuild(service, process.env) : null,
})

/** Drops the facts and begins their rebuild, which the job goes on with. The Hall keeps its snapshot until it has ended. */
export function runRebuild(service: Gallery, environment: Environment, overrides?: Overrides): Promise<ExitCode> {
  return service.runTask(
    { rebuild: 'facts' },
    environment,
    async (kit) => {
      const { pool, clock } = createContext(kit)
      await pool.transaction(async (tx) => {
        await dropFacts(tx)
        await beginRebuild(tx, RATING_METHOD, clock.now())
      })
      return { done: 1 }
    },
    overrides,
  )
}
