import type { chainIndexer } from '@svc/contracts/chain-indexer'
import type { Reaction } from '@svc/service'
import type { z } from 'zod'
import type { Context } from '../context.ts'
import { judgeExecuted } from '../judge-execution.ts'

type Seen = z.output<typeof chainIndexer.events.vaultEventSeen.payload>

/** Looks at each `Executed` for the approval that it needed. */
export const judgeExecutedOf =
  (context: Context): Reaction<Seen> =>
  (payload, _meta, tx) =>
    judgeExecuted(tx, context, {
      chainId: payload.chain_id,
      txHash: payload.tx_hash.toLowerCase(),
      logOrdinal: payload.log_ordinal,
      vault: payload.vault.toLowerCase(),
      name: payload.name,
      args: payload.args,
      blockNumber: payload.block_number,
      blockHash: payload.block_hash.toLowerCase(),
      blockTime: payload.block_time,
      revision: payload.revision,
      canonical: payload.canonical,
    })
