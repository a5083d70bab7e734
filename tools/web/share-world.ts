import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Answers 202 until the product runs, then with its `WebWorld` in JSON. */
    webWorldUrl: string
  }
}

/** Names the file of a world that runs already; see `world.ts`. */
const GIVEN = 'WEB_WORLD'
const STOP_MS = 30_000

let child: ChildProcess | null = null
let server: Server | null = null

/**
 * Shares one product and one Chromium, in a process of their own, between all browser tests of a run. They start when the
 * first test asks for them: tests of other projects come before, and a product that waits costs a tenth of a core.
 */
export async function setup(project: TestProject): Promise<void> {
  const given = process.env[GIVEN]
  let world: Promise<string> | null = null
  const worldText = () =>
    (world ??= given === undefined || given === '' ? startWorld() : Promise.resolve(readFileSync(given, 'utf8')))
  server = createServer((_, response) => {
    // On a busy machine a start outlasts a request: after a second the answer is to ask again.
    const later = setTimeout(() => response.writeHead(202).end(), 1_000)
    const answer = (status: number, text: string) => {
      clearTimeout(later)
      if (!response.headersSent) response.writeHead(status).end(text)
    }
    worldText().then(
      (text) => answer(200, text),
      (error: unknown) => answer(500, String(error)),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  project.provide('webWorldUrl', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
}

/** Resolves with the JSON of a world. */
function startWorld(): Promise<string> {
  const started = fork(join(import.meta.dirname, 'world.ts'), [], {
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  child = started
  return new Promise((resolve, reject) => {
    started.once('message', (world) => resolve(JSON.stringify(world)))
    started.once('exit', (code) =>
      reject(new Error(`the product for browser tests could not start (code ${code}); its reason stands above`)),
    )
  })
}

/** Stops what was started. */
export async function teardown(): Promise<void> {
  server?.close()
  if (child === null || child.exitCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const forced = setTimeout(() => child?.kill('SIGKILL'), STOP_MS)
  await ended
  clearTimeout(forced)
}
