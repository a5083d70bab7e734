import { execFile } from 'node:child_process'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Program } from './images.ts'
import type { Probe } from './objects.ts'

/** What a probe asks. */
export interface Target {
  readonly address: string
  portOf(port: string | number): number
  /** Runs a command beside the container, with its environment. */
  exec(command: readonly string[], timeoutMs: number): Promise<boolean>
}

const accepts = (host: string, port: number, timeoutMs: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port })
    const end = (accepted: boolean) => {
      socket.destroy()
      resolve(accepted)
    }
    socket.setTimeout(timeoutMs, () => end(false))
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
  })

/** Runs a command in the place of a program; returns whether it ended with 0. */
export const executes = ({ env, cwd, inside }: Program, command: readonly string[], timeoutMs: number) =>
  new Promise<boolean>((resolve) => {
    const [file = '', ...args] = inside?.(command) ?? command
    execFile(
      file === 'node' ? process.execPath : file,
      args,
      { env: env as NodeJS.ProcessEnv, cwd, timeout: timeoutMs },
      (error) => resolve(error === null),
    )
  })

/** Asks once. */
export async function passes(probe: Probe, { address, portOf, exec }: Target): Promise<boolean> {
  const timeoutMs = probe.timeoutSeconds * 1000
  if (probe.httpGet !== undefined) {
    const url = `http://${address}:${portOf(probe.httpGet.port)}${probe.httpGet.path}`
    const answer = await fetch(url, { signal: AbortSignal.timeout(timeoutMs), redirect: 'manual' }).catch(() => null)
    await answer?.body?.cancel()
    return answer !== null && answer.status >= 200 && answer.status < 400
  }
  if (probe.tcpSocket !== undefined) return accepts(address, portOf(probe.tcpSocket.port), timeoutMs)
  if (probe.exec !== undefined) return exec(probe.exec.command, timeoutMs)
  throw new Error('a probe has none of httpGet, tcpSocket and exec')
}

/**
 * Asks in the probe's period until the signal aborts. Reports `true` at the first success and `false` when as many answers in a
 * row as `failureThreshold` failed; a success ends a series.
 */
export async function watch(
  probe: Probe,
  target: Target,
  signal: AbortSignal,
  report: (passed: boolean) => void,
): Promise<void> {
  let failures = 0
  await delay(probe.initialDelaySeconds * 1000, null, { signal }).catch(() => {})
  while (!signal.aborted) {
    const passed = await passes(probe, target)
    if (signal.aborted) return
    failures = passed ? 0 : failures + 1
    if (passed) report(true)
    else if (failures >= probe.failureThreshold) {
      report(false)
      failures = 0
    }
    await delay(probe.periodSeconds * 1000, null, { signal }).catch(() => {})
  }
}
