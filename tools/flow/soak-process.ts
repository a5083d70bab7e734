import { getEventListeners } from 'node:events'
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

/** What it answers to each further message, after a collection of the whole heap. */
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

function sample(): SoakSample {
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

process.once('message', (told: SoakStart) => {
  const clock = pacedClock(
    () => told.at + (Date.now() - told.real) * told.speed,
    () => told.speed,
  )
  void startInProcess({ environmentOf: (service) => told.environments[service] ?? {} }, () => ({}), {
    overridesOf: () => ({ clock }),
  }).then(() => {
    process.on('message', () => process.send?.(sample()))
    process.send?.('ready')
  })
})
process.on('disconnect', () => process.exit(0))
