import type { Chain } from '@svc/chain'
import { workerTransaction, type Pool, type WorkerLimits } from '@svc/postgres'
import type { Clock, Log } from '@svc/service'
import { z } from 'zod'
import { knowChain } from './store/known-chain.ts'

const firstBlock = z.object({ hash: z.string() }).nullable()

/**
 * Ends what was decided for an earlier local chain of the same id, when that was deleted and the database kept: its
 * nonces are ahead of the new chain's, and what was signed for it must not reach another. Block 1 tells chains apart, as
 * anvil does not keep block 0 over its restarts.
 */
export async function checkLocalChain(
  chain: Chain,
  { pool, settings, clock, log }: { pool: Pool; settings: WorkerLimits; clock: Clock; log: Log },
): Promise<void> {
  const block = firstBlock.parse(await chain.request('eth_getBlockByNumber', ['0x1', false]))
  if (block === null) return
  const known = { chainId: chain.id, firstBlock: block.hash }
  const ended = await workerTransaction(pool, settings, (tx) => knowChain(tx, known, clock.now()))
  if (ended !== null)
    log.warn(
      { chain_id: chain.id, ended },
      'the local chain began anew since the last start: what was on its way to the earlier one is given up as lost',
    )
}
