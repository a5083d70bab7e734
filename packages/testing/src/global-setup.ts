import type { TestProject } from 'vitest/node'
import { startInfrastructure, type Infrastructure, type RunningInfrastructure } from './infrastructure.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    infrastructure: Infrastructure
  }
}

interface Shared {
  users: number
  readonly running: Promise<RunningInfrastructure>
}

const key = Symbol.for('svc.testing.infrastructure')
const registry = globalThis as { [key]?: Shared }

/** Starts one set of servers for the whole run; all projects share it. */
export async function setup(project: TestProject): Promise<void> {
  const shared = (registry[key] ??= { users: 0, running: startInfrastructure() })
  shared.users++
  const { kind, postgresUrl, redisUrl, natsUrl } = await shared.running
  project.provide('infrastructure', { kind, postgresUrl, redisUrl, natsUrl })
}

/** Stops the servers when the last project finished. */
export async function teardown(): Promise<void> {
  const shared = registry[key]
  if (shared === undefined || --shared.users > 0) return
  delete registry[key]
  await (await shared.running).stop()
}
