import { gaugeOf } from '@svc/service'
import { formatEther } from 'viem'
import type { FunderBooks } from './rules/funder-books.ts'

const setFunder = gaugeOf(
  'hub_gas_drip_funder_eth',
  'Books of the account that pays drips, in ETH: opening + received = balance + sent + fees + unexplained; unexplained above 0 is an alert',
  { keepSec: 300 },
)
const PARTS = ['opening', 'received', 'balance', 'sent', 'fees', 'unexplained'] as const

/** Records the books of the account that pays drips; null if it could not be read. It is read each minute. */
export function recordFunder(books: FunderBooks | null): void {
  for (const part of PARTS) setFunder({ part }, books === null ? null : Number(formatEther(books[part])))
}
