import type { Chain } from '@svc/chain'
import { workerTransaction, type Pool, type WorkerLimits } from '@svc/postgres'
import type { Clock, Log } from '@svc/service'
import { z } from 'zod'
import { knowChain } from './store/known-chain.ts'

const firstBlock = z.object({ hash: z.string() }).nullable()

/**
 * Ends transactions of an earlier local chain with the same id, if that chain was deleted and the database kept: their
 * nonces are ahead of the new chain's, and nothing signed for the old chain may reach the new one. Chains are identified
 * by block 1, because anvil does not keep block 0 over its restarts.
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
      'the local chain was recreated since the last start: open transactions of the earlier chain are ended as lost',
    )
}
