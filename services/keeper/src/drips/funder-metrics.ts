import { metrics } from '@opentelemetry/api'
import { formatEther } from 'viem'
import type { FunderBooks } from './rules/funder-books.ts'

const meter = metrics.getMeter('keeper')
const funder = meter.createGauge('hub_gas_drip_funder_eth', {
  description:
    'Books of the account that pays drips, in ETH: opening + received = balance + sent + fees + unexplained; unexplained above 0 is an alert',
})

/** Records the books of the account that pays drips. */
export function recordFunder({ opening, received, balance, sent, fees, unexplained }: FunderBooks): void {
  for (const [part, wei] of Object.entries({ opening, received, balance, sent, fees, unexplained }))
    funder.record(Number(formatEther(wei)), { part })
}
