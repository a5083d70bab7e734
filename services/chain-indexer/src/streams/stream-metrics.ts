import { counterOf, eachOf, gaugeOf } from '@svc/service'

/** Longer than any interval of a reader: only what nobody reads any longer is older. */
const KEPT = { keepSec: 900 } as const
const setLag = gaugeOf(
  'hub_chain_head_lag_blocks',
  'Blocks between the head of the chain and what a reader has read',
  KEPT,
)
const setCursor = gaugeOf('hub_chain_cursor_block', 'The block that a reader reads next', KEPT)

/** Records where a reader stands, and how far behind the head of the chain. */
export function recordStream(reader: string, nextBlock: number, head: number): void {
  setLag({ reader }, Math.max(0, head - nextBlock + 1))
  setCursor({ reader }, nextBlock)
}

/** Records that nobody knows where the head of the chain is. Where the reader stands is still true. */
export function forgetHead(reader: string): void {
  setLag({ reader }, null)
}

/** Counts a deposit whose block was looked at again, by what the chain shows. */
export const countRecheck = counterOf(
  'hub_reorg_rechecks_total',
  'Deposits whose block was looked at again, by the status that the chain shows',
  eachOf('result', ['pending', 'confirmed', 'orphaned']),
)
