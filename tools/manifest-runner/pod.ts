import { spawn, type ChildProcess } from 'node:child_process'
import { chownSync, closeSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { dyingWithParent } from '@svc/servers'
import type { Images, Program } from './images.ts'
import type { PodSpec, Probe, Template } from './objects.ts'
import { portOf, resolveContainer, type Given, type Place } from './plan.ts'
import { executes, watch, type Target } from './probes.ts'

/** A pod with one container, as a process. */
export interface Pod {
  readonly name: string
  readonly address: string
  readonly labels: Readonly<Record<string, string>>
  readonly spec: PodSpec
  /** Since when its readiness holds; null while it does not, or while the pod is being stopped. */
  readySince(): number | null
  /** Times that the container was started again. */
  restarts(): number
  /** Largest memory that the process held, bytes. */
  memoryPeak(): number
  /** Writes the mounted Secrets and ConfigMaps again, as a node does some time after they changed. */
  refresh(): void
  /** Code of the last end of the container; resolves when the pod is over. */
  readonly over: Promise<number>
  /** Ends it as Kubernetes does: preStop, signal, and SIGKILL after the grace period. */
  stop(): Promise<void>
  /** Kills the process (`kill -9`). */
  kill(): void
}

/** What a pod needs to run. */
export interface Ground {
  readonly given: () => Given
  readonly images: Images
  readonly logFile: (pod: string) => string
  /** Called after each change of a state. */
  readonly onChange: () => void
  readonly note: (line: string) => void
}

const BACKOFF_FIRST_MS = 10_000
const BACKOFF_MAX_MS = 300_000
const KILLED = 137
const MEMORY_LOOK_MS = 5_000

/** Starts a pod; a container that ends is started again unless its policy is `Never`. */
export function startPod({ spec, metadata }: Template, place: Place, ground: Ground): Pod {
  let child: ChildProcess | null = null
  let program: Program | null = null
  let readySince: number | null = null
  let restarts = 0
  let memoryPeak = 0
  let stopping = false
  let probing = new AbortController()
  const leaving = new AbortController()
  const [container] = spec.containers
  if (container === undefined) throw new Error(`${place.name} has no container`)
  const target: Target = {
    address: place.address,
    portOf: (port) => portOf(spec, port),
    exec: async (command, timeoutMs) => program !== null && executes(program, command, timeoutMs),
  }
  const setReady = (ready: boolean) => {
    if (ready === (readySince !== null)) return
    readySince = ready && !stopping ? Date.now() : null
    ground.onChange()
  }

  const probe = async (signal: AbortSignal, current: ChildProcess) => {
    const startup = new AbortController()
    const fail = (what: string) => {
      ground.note(`${place.name}: the ${what} probe failed, the container is started again`)
      void end(current)
    }
    if (container.startupProbe !== undefined)
      await watch(container.startupProbe, target, AbortSignal.any([signal, startup.signal]), (passed) => {
        if (passed) startup.abort()
        else fail('startup')
      })
    if (signal.aborted) return
    const live: Probe | undefined = container.livenessProbe
    await Promise.all([
      container.readinessProbe === undefined
        ? setReady(true)
        : watch(container.readinessProbe, target, signal, setReady),
      live && watch(live, target, signal, (passed) => passed || fail('liveness')),
      memory(signal, current),
    ])
  }
  const memory = async (signal: AbortSignal, { pid }: ChildProcess) => {
    while (!signal.aborted) {
      memoryPeak = Math.max(memoryPeak, peakOf(pid ?? 0))
      await delay(MEMORY_LOOK_MS, null, { signal }).catch(() => {})
    }
    memoryPeak = Math.max(memoryPeak, peakOf(pid ?? 0))
  }

  const mount = () => {
    const resolved = resolveContainer(spec, place, ground.given(), ground.images.paths)
    const { uid, gid } = ground.images.userOf(spec)
    for (const { folder } of resolved.mounts) {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      chownSync(folder, uid, gid)
    }
    for (const [path, content] of Object.entries(resolved.files)) {
      mkdirSync(dirname(path), { recursive: true })
      // Renamed into its place: a reader sees the old or the new content.
      writeFileSync(`${path}.new`, content, { mode: 0o600 })
      chownSync(`${path}.new`, uid, gid)
      renameSync(`${path}.new`, path)
    }
    return resolved
  }

  /** Runs the container once; returns its exit code. */
  const runOnce = async (): Promise<number> => {
    const resolved = mount()
    program = await ground.images.programOf(spec, resolved, place.address)
    if (stopping) return KILLED
    const [file = '', ...args] = dyingWithParent(program.argv, 'TERM')
    const log = openSync(ground.logFile(place.name), 'a', 0o600)
    const current = spawn(file, args, {
      cwd: program.cwd,
      env: program.env as NodeJS.ProcessEnv,
      stdio: ['ignore', log, log],
      detached: true,
    })
    closeSync(log)
    child = current
    const ended = new Promise<number>((resolve) => {
      current.once('exit', (code) => resolve(code ?? KILLED))
      current.once('error', () => resolve(127))
    })
    probing = new AbortController()
    const watched = probe(probing.signal, current)
    const code = await ended
    probing.abort()
    child = null
    setReady(false)
    await watched
    return code
  }

  const life = async (): Promise<number> => {
    for (let backoffMs = 0; ; backoffMs = Math.min(Math.max(BACKOFF_FIRST_MS, backoffMs * 2), BACKOFF_MAX_MS)) {
      const code = await runOnce()
      if (stopping || spec.restartPolicy === 'Never') return code
      restarts += 1
      ground.note(`${place.name} ended with ${code} and is started again in ${backoffMs / 1000} s`)
      ground.onChange()
      await delay(backoffMs, null, { signal: leaving.signal }).catch(() => {})
      if (stopping) return code
    }
  }

  const kill = (current: ChildProcess | null) => (program?.kill ?? (() => current?.kill('SIGKILL')))()
  const end = async (current: ChildProcess | null) => {
    if (current === null || current.exitCode !== null || current.signalCode !== null) return
    const gone = new Promise((resolve) => void current.once('exit', resolve))
    const force = setTimeout(() => kill(current), spec.terminationGracePeriodSeconds * 1000)
    const { sleep, exec } = container.lifecycle?.preStop ?? {}
    if (sleep !== undefined) await delay(sleep.seconds * 1000)
    if (exec !== undefined) await target.exec(exec.command, spec.terminationGracePeriodSeconds * 1000)
    current.kill(program?.stopSignal ?? 'SIGTERM')
    await gone
    clearTimeout(force)
  }

  const over = life()
  over.catch(() => {})
  return {
    name: place.name,
    address: place.address,
    labels: metadata.labels,
    spec,
    readySince: () => readySince,
    restarts: () => restarts,
    memoryPeak: () => memoryPeak,
    refresh: () => void (child !== null && mount()),
    over,
    stop: async () => {
      stopping = true
      leaving.abort()
      probing.abort()
      readySince = null
      ground.onChange()
      await end(child)
      await over.catch(() => {})
    },
    kill: () => kill(child),
  }
}

/** Returns the largest resident size of a process, bytes; 0 if it is gone. */
function peakOf(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}
