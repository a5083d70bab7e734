import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { WebWorld } from './web-world.ts'

/** Names the file of a world that runs already. */
const GIVEN = 'WEB_WORLD'

/** Does something with the world that `WEB_WORLD` names, or with one of its own, which ends with it. */
export async function useWorld<T>(work: (world: WebWorld) => Promise<T>): Promise<T> {
  const given = process.env[GIVEN]
  if (given !== undefined && given !== '') return work(JSON.parse(readFileSync(given, 'utf8')) as WebWorld)
  const child = fork(join(import.meta.dirname, 'world.ts'), [], {
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  try {
    const [world] = (await once(child, 'message')) as [WebWorld]
    return await work(world)
  } finally {
    child.kill('SIGTERM')
  }
}
