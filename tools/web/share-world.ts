import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import type { WebWorld } from './web-world.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    webWorld: WebWorld
  }
}

/** Names the file of a world that runs already; see `world.ts`. */
const GIVEN = 'WEB_WORLD'
const STOP_MS = 30_000

let child: ChildProcess | null = null

/** Starts one product and one Chromium for all browser tests of a run, in a process of its own. */
export async function setup(project: TestProject): Promise<void> {
  const given = process.env[GIVEN]
  if (given !== undefined && given !== '')
    return project.provide('webWorld', JSON.parse(readFileSync(given, 'utf8')) as WebWorld)
  const started = fork(join(import.meta.dirname, 'world.ts'), [], {
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  child = started
  project.provide(
    'webWorld',
    await new Promise<WebWorld>((resolve, reject) => {
      started.once('message', (world) => resolve(world as WebWorld))
      started.once('exit', (code) =>
        reject(new Error(`the product for browser tests could not start (code ${code}); its reason stands above`)),
      )
    }),
  )
}

/** Stops what was started. */
export async function teardown(): Promise<void> {
  if (child === null || child.exitCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const forced = setTimeout(() => child?.kill('SIGKILL'), STOP_MS)
  await ended
  clearTimeout(forced)
}
