import { getEventListeners } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { getHeapCodeStatistics } from 'node:v8'
import type { Environment } from '@svc/contract'
import { pacedClock, type Clock } from '@svc/service'
import { startInProcess } from '../../dev/services.ts'

/** First message to the process. */
export interface SoakStart {
  readonly environments: Readonly<Record<string, Environment>>
  /** The clock showed `at` when this machine's clock showed `real`, and runs `speed` times as fast. */
  readonly at: number
  readonly real: number
  readonly speed: number
  /** Adds an abort listener to a signal that stays, with each timer of one service. */
  readonly leaks: boolean
}

/** Answer to the message `sample`: the lowest figures while the clock stands still and no work begins. */
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
const HOUR_MS = 3_600_000
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

/** Time at which the clock stands still; null while it runs. */
let stoppedAt: number | null = null
/** Milliseconds by which messages `hour` have put the clock forward. */
let ahead = 0

/** Work in flight takes memory, listeners and timers for a moment; a leak stays at rest. */
async function sample(now: () => number): Promise<SoakSample> {
  stoppedAt = now()
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
  // The clock jumps to the time of the venues' clock, which ran on.
  stoppedAt = null
  return least
}

const LEAKING_SERVICE = 'subscriptions'
const neverAborted = new AbortController()

/** Returns the clock with a leak: an abort listener for each timer. */
const leaking = (clock: Clock): Clock => ({
  now: clock.now,
  after: (ms, due) => {
    neverAborted.signal.addEventListener('abort', () => clock.now())
    return clock.after(ms, due)
  },
})

process.once('message', ({ environments, at, real, speed, leaks }: SoakStart) => {
  const now = () => stoppedAt ?? at + ahead + (Date.now() - real) * speed
  const clock = pacedClock(now, () => (stoppedAt === null ? speed : 0))
  void startInProcess({ environmentOf: (service) => environments[service] ?? {} }, () => ({}), {
    overridesOf: (service) => ({ clock: leaks && service === LEAKING_SERVICE ? leaking(clock) : clock }),
  }).then(() => {
    process.on('message', (message) => {
      if (message === 'hour') ahead += HOUR_MS
      else void sample(now).then((one) => process.send?.(one))
    })
    process.send?.('ready')
  })
})
process.on('disconnect', () => process.exit(0))
