import { counterOf, eachOf, gaugeOf } from '@svc/service'

const setLag = gaugeOf('hub_chain_head_lag_blocks', 'Blocks between the head of the chain and what a reader has read')
const setCursor = gaugeOf('hub_chain_cursor_block', 'The block that a reader reads next')

/** Records where a reader stands, and how far behind the head of the chain. */
export function recordStream(reader: string, nextBlock: number, head: number): void {
  setLag({ reader }, Math.max(0, head - nextBlock + 1))
  setCursor({ reader }, nextBlock)
}

/** Counts a deposit whose block was looked at again, by what the chain shows. */
export const countRecheck = counterOf(
  'hub_reorg_rechecks_total',
  'Deposits whose block was looked at again, by the status that the chain shows',
  eachOf('result', ['pending', 'confirmed', 'orphaned']),
)
