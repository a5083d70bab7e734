import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Environment } from '@svc/contract'
import type { Pool, sql } from '@svc/postgres'
import type { ReplayExchange } from '@svc/replay-exchange'
import type { TestStack } from '@svc/testing'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))

/** Instances of the service as processes of their own. */
export interface ServiceProcesses {
  /** Resolves when the new one is ready. */
  start(): Promise<ChildProcess>
  /** kill -9. */
  kill(child: ChildProcess): Promise<void>
  killAll(): Promise<void>
}

export function serviceProcesses(
  stack: TestStack,
  exchange: ReplayExchange,
  venues: readonly string[],
  more: Environment = {},
): ServiceProcesses {
  const children = new Set<ChildProcess>()
  const kill = async (child: ChildProcess) => {
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await gone
  }
  return {
    start: async () => {
      const addresses = venues.map((venue) => [
        `MARKET_VENUE_BASE_URL_${venue.toUpperCase()}`,
        exchange.venueUrl(venue),
      ])
      const child = fork(main, [], {
        env: {
          PATH: process.env['PATH'],
          ...stack.environmentOf('market-data', {
            MARKET_VENUES: venues.join(','),
            ...Object.fromEntries(addresses),
            ...more,
          }),
        },
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      })
      children.add(child)
      child.once('exit', () => children.delete(child))
      await new Promise<void>((resolve, reject) => {
        child.once('message', () => resolve())
        child.once('exit', (code) => reject(new Error(`ended with ${code}`)))
      })
      return child
    },
    kill,
    killAll: async () => {
      await Promise.all([...children].map(kill))
    },
  }
}

/** Locks in a separate transaction until `release`, so that a process that needs the lock waits there. */
export async function hold(pool: Pool, lock: ReturnType<typeof sql.unsafe>): Promise<() => Promise<void>> {
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  let locked = () => {}
  const isLocked = new Promise<void>((resolve) => (locked = resolve))
  const holding = pool.transaction(async (tx) => {
    await tx.query(lock)
    locked()
    await released
  })
  await Promise.race([isLocked, holding])
  return () => {
    release()
    return holding
  }
}
