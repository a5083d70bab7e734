import { getEventListeners } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { getHeapCodeStatistics } from 'node:v8'

/** Lowest figures of this process while no work begins. */
export interface SoakSample {
  /** Without compiled code, which grows for hours while more of the program becomes hot, and ends with the program. */
  readonly heapMb: number
  /** Abort listeners of all signals that are alive. */
  readonly listeners: number
  /** Sockets, servers and pipes. */
  readonly sockets: number
  readonly timers: number
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
/** The process is at rest after so many looks in a row without a lower figure. */
const LOOKS_AT_REST = 2
const LOOKS_MAX = 8
const FIGURES = ['heapMb', 'listeners', 'sockets', 'timers'] as const

function look(): SoakSample {
  gc?.()
  const { code_and_metadata_size: machine, bytecode_and_metadata_size: byte } = getHeapCodeStatistics()
  let listeners = 0
  for (const [id, reference] of signals) {
    const signal = reference.deref()
    if (signal === undefined) signals.delete(id)
    else listeners += getEventListeners(signal, 'abort').length
  }
  const resources = process.getActiveResourcesInfo()
  return {
    heapMb: (process.memoryUsage().heapUsed - machine - byte) / 2 ** 20,
    listeners,
    sockets: resources.filter((kind) => /TCP|TLS|Pipe/.test(kind)).length,
    timers: resources.filter((kind) => kind === 'Timeout').length,
  }
}

/**
 * Returns the lowest figures of this process, which runs with `--expose-gc`. The caller lets no work begin meanwhile: work in
 * flight takes memory, listeners and timers for a moment, and a leak stays at rest.
 */
export async function sampleAtRest(): Promise<SoakSample> {
  let least = look()
  for (let looks = 0, atRest = 0; atRest < LOOKS_AT_REST && looks < LOOKS_MAX; looks += 1) {
    await delay(LOOK_MS)
    const found = look()
    const before = least
    const isLower = FIGURES.some((figure) => found[figure] < before[figure] * 0.999)
    atRest = isLower ? 0 : atRest + 1
    least = {
      heapMb: Math.min(found.heapMb, least.heapMb),
      listeners: Math.min(found.listeners, least.listeners),
      sockets: Math.min(found.sockets, least.sockets),
      timers: Math.min(found.timers, least.timers),
    }
  }
  return least
}
