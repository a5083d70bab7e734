import { metrics } from '@opentelemetry/api'

const skew = metrics.getMeter('chain-indexer').createGauge('hub_chain_clock_skew_seconds', {
  unit: 's',
  description:
    "Time of the chain's newest block minus this service's clock. A chain that stands still grows ever more negative; beyond 120 either way on a chain that moves is an alert",
})

/** Publishes how far the chain's clock is ahead of the service's; `headTime` in Unix seconds. */
export function noteClockSkew(headTime: bigint, now: Date): void {
  skew.record(Number(headTime) - now.getTime() / 1000)
}
