import type { Environment } from '@svc/contract'
import { pacedClock } from '@svc/service'
import { startInProcess } from '../../dev/services.ts'
import { leakOnce, type ProcessLeak } from './leaks.ts'
import { sampleAtRest } from './sampling.ts'

/** First message to the process. */
export interface SoakStart {
  readonly environments: Readonly<Record<string, Environment>>
  /** The clock showed `at` when this machine's clock showed `real`, and runs `speed` times as fast. */
  readonly at: number
  readonly real: number
  readonly speed: number
  /** What the process leaks before each sample; connections go to this database. */
  readonly leak: { readonly kind: ProcessLeak; readonly postgresUrl: string } | null
}

const HOUR_MS = 3_600_000

process.once('message', ({ environments, leak, ...start }: SoakStart) => {
  let { at, real, speed } = start
  /** Time at which the clock stands still; null while it runs. */
  let stoppedAt: number | null = null
  const now = () => stoppedAt ?? at + (Date.now() - real) * speed
  const clock = pacedClock(now, () => (stoppedAt === null ? speed : 0))
  const sample = async () => {
    if (leak !== null) await leakOnce(leak.kind, leak.postgresUrl)
    stoppedAt = now()
    const least = await sampleAtRest()
    // The clock jumps to the time of the venues' clock, which ran on.
    stoppedAt = null
    process.send?.(least)
  }
  /** Goes on an hour later, as fast as the clock of this machine: what is waiting then can be worked off by any machine. */
  const slowDown = () => {
    ;[at, real, speed] = [now() + HOUR_MS, Date.now(), 1]
  }
  void startInProcess({ environmentOf: (service) => environments[service] ?? {} }, () => ({}), {
    overridesOf: () => ({ clock }),
  }).then(() => {
    process.on('message', (message) => {
      if (message === 'slow down') slowDown()
      else void sample()
    })
    process.send?.('ready')
  })
})
process.on('disconnect', () => process.exit(0))
