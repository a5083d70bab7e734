import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { closeSync, openSync, readFileSync, rmSync, statSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { fileProblem, PortInUse, ServerProblem } from './problem.ts'
import { listensOn } from './process-info.ts'
import { systemEnvironment } from './system-environment.ts'

/** A running server at `url`. `stop`, `kill` and `restart` throw for a server that was given by URL. */
export interface Server {
  readonly url: string
  readonly port: number
  /** Returns the process id; null while the server is down or if it was given by URL. */
  pid(): number | null
  start(): Promise<void>
  /** Stops the server; kills it at the time limit. */
  stop(): Promise<void>
  /** Kills the server (`kill -9`); resolves when the process is gone. */
  kill(): Promise<void>
  /** Stops and starts the server on the same port with the same data. */
  restart(): Promise<void>
}

export interface ServerSpec {
  readonly name: string
  readonly url: string
  readonly port: number
  readonly logFile: string
  readonly command: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly deathSignal: 'INT' | 'TERM'
  readonly stopSignal: NodeJS.Signals
  /** Sends a real request to the server; returns false if it is not ready yet. */
  readonly ready: () => Promise<boolean>
  /** Returns whether the log of a failed start names a temporary condition, such as a predecessor that is still stopping. */
  readonly transient?: (log: string) => boolean
  /** Returns a sentence for a failed start. */
  readonly explain?: (log: string) => string | null
  /** Called when the process ends unexpectedly. */
  readonly onExit?: () => void
}

const startTimeoutMs = 600_000
const transientTimeoutMs = 150_000
const stopTimeoutMs = 15_000
const logBytesMax = 8 * 1024 * 1024

let parentDeath: boolean | undefined
/** Returns whether `setpriv --pdeathsig` exists, which ends a child whenever this process dies. */
function hasParentDeathSignal(): boolean {
  parentDeath ??= (spawnSync('setpriv', ['--help'], { encoding: 'utf8' }).stdout ?? '').includes('--pdeathsig')
  return parentDeath
}

/** Elsewhere (macOS) a watchdog reads a pipe from this process and ends the child when the pipe closes. */
function watchdog(child: ChildProcess, signal: string): void {
  const dog = spawn('sh', ['-c', `cat >/dev/null; kill -${signal} ${child.pid}`], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  dog.unref()
  child.once('exit', () => dog.kill('SIGKILL'))
}

/** Builds the life cycle of a server process without starting it. */
export function createServer(spec: ServerSpec): Server {
  let child: ChildProcess | null = null
  let ended: Promise<void> = Promise.resolve()
  let asked = false

  const launch = () => {
    const withDeathSignal = hasParentDeathSignal()
    const [command = '', ...args] = withDeathSignal ? dyingWithParent(spec.command, spec.deathSignal) : spec.command
    const log = openLog(spec.logFile)
    // In a separate session: Ctrl-C in a terminal must reach the services first.
    const started = spawn(command, args, {
      stdio: ['ignore', log.fd, log.fd],
      detached: true,
      env: { ...systemEnvironment(), ...spec.env },
    })
    closeSync(log.fd)
    asked = false
    child = started
    if (!withDeathSignal && started.pid !== undefined) watchdog(started, spec.deathSignal)
    ended = new Promise((resolve) => {
      const end = () => {
        child = null
        resolve()
      }
      started.once('exit', end)
      started.once('error', end)
    })
    return log.size
  }
  const logSince = (offset: number) => readFileSync(spec.logFile).subarray(offset).toString('utf8')

  /** Another server may have the port and the same password: only the child itself counts. */
  const answersItself = async () =>
    child !== null && (await spec.ready()) && child?.pid !== undefined && listensOn(child.pid, spec.port)

  const start = async () => {
    if (child !== null) return
    const begun = Date.now()
    let offset = launch()
    while (Date.now() - begun < startTimeoutMs) {
      if (await answersItself()) {
        void ended.then(() => asked || spec.onExit?.())
        return
      }
      if (child === null) {
        const log = logSince(offset)
        const passing = spec.transient?.(log) === true && Date.now() - begun < transientTimeoutMs
        if (!passing) throw startProblem(spec, log)
        await delay(100)
        offset = launch()
      }
      await delay(15)
    }
    await end('SIGKILL')
    throw new ServerProblem(`${spec.name} was not ready after ${startTimeoutMs / 1000} s: see ${spec.logFile}.`)
  }
  const end = async (signal: NodeJS.Signals) => {
    asked = true
    const current = child
    if (current === null) return ended
    current.kill(signal)
    const timer = setTimeout(() => current.kill('SIGKILL'), stopTimeoutMs)
    await ended
    clearTimeout(timer)
  }
  return {
    url: spec.url,
    port: spec.port,
    pid: () => child?.pid ?? null,
    start,
    stop: () => end(spec.stopSignal),
    kill: () => end('SIGKILL'),
    restart: async () => {
      await end(spec.stopSignal)
      await start()
    },
  }
}

/** Returns a server that was given by URL. */
export function givenServer(name: string, url: string, portDefault: number): Server {
  const refuse = () => Promise.reject(new Error(`${name} was given by URL and is not ours to stop`))
  return {
    url,
    port: Number(new URL(url).port || portDefault),
    pid: () => null,
    start: async () => {},
    stop: async () => {},
    kill: refuse,
    restart: refuse,
  }
}

/** Returns a command for Linux whose process gets a signal when this process dies. */
export function dyingWithParent(command: readonly string[], deathSignal: 'INT' | 'TERM'): string[] {
  // After `unshare … --`: a change of user clears the signal, so it is set afterwards.
  const at = command[0] === 'unshare' || command[0] === 'setpriv' ? command.indexOf('--') + 1 : 0
  return [...command.slice(0, at), 'setpriv', '--pdeathsig', deathSignal, '--', ...command.slice(at)]
}

function openLog(file: string): { fd: number; size: number } {
  try {
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > logBytesMax) rmSync(file)
    const fd = openSync(file, 'a', 0o600)
    return { fd, size: statSync(file).size }
  } catch (error) {
    throw fileProblem(error, file)
  }
}

function startProblem(spec: ServerSpec, log: string): Error {
  if (/address already in use/i.test(log)) return new PortInUse(spec.name, spec.port)
  if (/no space left on device/i.test(log))
    return new ServerProblem(
      `${spec.name} cannot start because the disk is full: free some space and run the command again.`,
    )
  const lines = log.split('\n').filter((line) => line.trim() !== '')
  const reason = lines.findLast((line) => /fatal|panic|error|\[FTL\]|#/i.test(line)) ?? lines.at(-1) ?? 'no output'
  return new ServerProblem(
    spec.explain?.(log) ??
      `${spec.name} did not start (${reason.trim().slice(0, 300)}): see ${spec.logFile}, or remove the data folder to start over.`,
  )
}
