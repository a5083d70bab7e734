import { metrics } from '@opentelemetry/api'

const skew = metrics.getMeter('chain-indexer').createGauge('hub_chain_clock_skew_seconds', {
  unit: 's',
  description:
    "Time of the chain's newest block, or of one at most 32 blocks older, minus this service's clock. It falls steadily while the chain produces no blocks",
})

/** Records the time of the newest block, in Unix seconds, minus the service's clock. */
export function recordClockSkew(headTime: bigint, now: Date): void {
  skew.record(Number(headTime) - now.getTime() / 1000)
}
