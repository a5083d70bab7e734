import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Environment } from '@svc/contract'
import { afterAll } from 'vitest'

/**
 * Returns the members of this process's environment that a started process needs: where programs are, and where Node keeps
 * compiled code, without which a start takes a third more of a core.
 */
export const inherited = (): Environment => {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  return { PATH, NODE_COMPILE_CACHE }
}

/** Instances of one program as processes of their own, which a test may kill. */
export interface TestProcesses {
  readonly running: ReadonlySet<ChildProcess>
  /** Returns the message by which an instance said that it is ready: a service names its internal port. */
  firstMessage(child: ChildProcess): unknown
  /** Starts an instance; resolves when it reports that it is ready, and rejects if it ends before. */
  start(more?: Environment): Promise<ChildProcess>
  /** kill -9; resolves when the process is gone. */
  kill(child: ChildProcess): Promise<void>
  killAll(): Promise<void>
  /** SIGTERM; resolves with the exit code, null after a signal. */
  stop(child: ChildProcess): Promise<number | null>
}

/**
 * Returns the processes of a module that says by a first message that it is ready, as services do. `environment` is asked
 * for at each start. Whatever still runs is killed after the last test of the file.
 */
export function testProcesses(module: URL, environment: () => Environment): TestProcesses {
  const running = new Set<ChildProcess>()
  const firstMessages = new WeakMap<ChildProcess, unknown>()
  const ended = async (child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
    const exit = once(child, 'exit')
    child.kill(signal)
    const [code] = (await exit) as [number | null]
    return code
  }
  const kill = async (child: ChildProcess) => void (await ended(child, 'SIGKILL'))
  const killAll = async () => void (await Promise.all([...running].map(kill)))
  afterAll(killAll)
  return {
    running,
    firstMessage: (child) => firstMessages.get(child),
    start: async (more = {}) => {
      const child = fork(module, [], {
        execArgv: [],
        env: { ...inherited(), ...environment(), ...more },
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      })
      running.add(child)
      child.once('exit', () => running.delete(child))
      await new Promise<void>((resolve, reject) => {
        child.once('message', (message) => {
          firstMessages.set(child, message)
          resolve()
        })
        child.once('exit', (code) => reject(new Error(`the process ended with ${code} before it was ready`)))
      })
      return child
    },
    kill,
    killAll,
    stop: (child) => ended(child, 'SIGTERM'),
  }
}
