import { metrics } from '@opentelemetry/api'

/** The last measurement: the difference in seconds, and the time of this process when it was taken. */
let last: { readonly skewSec: number; readonly atMs: number } | null = null

metrics
  .getMeter('chain-indexer')
  .createObservableGauge('hub_chain_clock_skew_seconds', {
    unit: 's',
    description:
      "Time of the newest block that was read, or of one at most 32 blocks older, minus this service's clock. It falls steadily while the chain produces no blocks, and while nobody can read it",
  })
  .addCallback((result) => {
    // A block gets older while no other one can be read.
    if (last !== null) result.observe(last.skewSec - (performance.now() - last.atMs) / 1000)
  })

/** Records the time of the newest block, in Unix seconds, minus the service's clock. */
export function recordClockSkew(headTime: bigint, now: Date): void {
  last = { skewSec: Number(headTime) - now.getTime() / 1000, atMs: performance.now() }
}
