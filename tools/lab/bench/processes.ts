import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** A child process; leaving the scope of `await using` stops it. */
export interface Child extends AsyncDisposable {
  readonly pid: number
  /** Sends a message and resolves with the next one that the child sends. */
  ask(message: object, timeoutMs: number): Promise<unknown>
}

const readyMs = 120_000
const stopMs = 10_000

/** Starts a script of this folder as a process; resolves with its first message. */
export async function startProcess(
  script: string,
  environment: Readonly<Record<string, string>>,
  nodeOptions: readonly string[] = [],
): Promise<Child> {
  const child = fork(fileURLToPath(new URL(script, import.meta.url)), [], {
    env: { PATH: process.env['PATH'] ?? '', ...environment },
    execArgv: [...nodeOptions],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const next = (timeoutMs: number) =>
    new Promise<unknown>((resolve, reject) => {
      const end = (settle: () => void) => {
        clearTimeout(timer)
        child.off('message', onMessage)
        child.off('exit', onExit)
        settle()
      }
      const onMessage = (message: unknown) => end(() => resolve(message))
      const onExit = () => end(() => reject(new Error(`${script} ended unexpectedly`)))
      const timer = setTimeout(
        () => end(() => reject(new Error(`${script} did not answer in ${timeoutMs} ms`))),
        timeoutMs,
      )
      child.on('message', onMessage)
      child.once('exit', onExit)
    })
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), stopMs)
    await gone
    clearTimeout(timer)
  }
  try {
    await next(readyMs)
  } catch (error) {
    await stop()
    throw error
  }
  return {
    pid: child.pid ?? 0,
    ask: (message, timeoutMs) => {
      const answer = next(timeoutMs)
      child.send(message)
      return answer
    },
    [Symbol.asyncDispose]: stop,
  }
}
