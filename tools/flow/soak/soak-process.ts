import { getEventListeners } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { Environment } from '@svc/contract'
import { pacedClock } from '@svc/service'
import { startInProcess } from '../dev/services.ts'

/** What the process is told first. */
export interface SoakStart {
  readonly environments: Readonly<Record<string, Environment>>
  /** The clock: it showed `at` when this machine's showed `real`, and runs `speed` times as fast. */
  readonly at: number
  readonly real: number
  readonly speed: number
}

/** What it answers to each further message: its least figures while its clock stands still and nothing new begins. */
export interface SoakSample {
  readonly heapMb: number
  /** Listeners at signals that are alive. */
  readonly listeners: number
  readonly handles: number
}

const signals = new Map<number, WeakRef<AbortSignal>>()
const known = new WeakSet<AbortSignal>()
let count = 0
const add = EventTarget.prototype.addEventListener
EventTarget.prototype.addEventListener = function (this: EventTarget, ...given: Parameters<typeof add>) {
  if (this instanceof AbortSignal && !known.has(this)) {
    known.add(this)
    signals.set((count += 1), new WeakRef(this))
  }
  return add.apply(this, given)
}

const LOOK_MS = 50
/** So many looks in a row without a lower figure are rest. */
const LOOKS_AT_REST = 2
const LOOKS_MAX = 8

function look(): SoakSample {
  gc?.()
  let listeners = 0
  for (const [id, reference] of signals) {
    const signal = reference.deref()
    if (signal === undefined) signals.delete(id)
    else listeners += getEventListeners(signal, 'abort').length
  }
  return {
    heapMb: process.memoryUsage().heapUsed / 2 ** 20,
    listeners,
    handles: process.getActiveResourcesInfo().filter((kind) => kind !== 'Immediate').length,
  }
}

/** Time at which the clock stands still; null while it runs. */
let stoppedAt: number | null = null

/** What is in flight takes several MB for a moment; a leak shows at rest. */
async function sample(now: () => number): Promise<SoakSample> {
  stoppedAt = now()
  let least = look()
  for (let looks = 0, atRest = 0; atRest < LOOKS_AT_REST && looks < LOOKS_MAX; looks += 1) {
    await delay(LOOK_MS)
    const { heapMb, listeners, handles } = look()
    const isLower = heapMb < least.heapMb * 0.999 || listeners < least.listeners || handles < least.handles
    atRest = isLower ? 0 : atRest + 1
    least = {
      heapMb: Math.min(heapMb, least.heapMb),
      listeners: Math.min(listeners, least.listeners),
      handles: Math.min(handles, least.handles),
    }
  }
  // The clock jumps to where it would be, as the venues' clock went on.
  stoppedAt = null
  return least
}

process.once('message', (told: SoakStart) => {
  const now = () => stoppedAt ?? told.at + (Date.now() - told.real) * told.speed
  const clock = pacedClock(now, () => (stoppedAt === null ? told.speed : 0))
  void startInProcess({ environmentOf: (service) => told.environments[service] ?? {} }, () => ({}), {
    overridesOf: () => ({ clock }),
  }).then(() => {
    process.on('message', () => void sample(now).then((one) => process.send?.(one)))
    process.send?.('ready')
  })
})
process.on('disconnect', () => process.exit(0))
