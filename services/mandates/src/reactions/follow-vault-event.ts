import type { chainIndexer } from '@svc/contracts/chain-indexer'
import type { Reaction } from '@svc/service'
import type { z } from 'zod'
import { applyFact } from '../apply-chain.ts'
import type { Context } from '../context.ts'

type Seen = z.output<typeof chainIndexer.events.vaultEventSeen.payload>

/** Brings a mandate up to what its vault logged, or to what a reorganisation took away. */
export const followVaultEvent =
  ({ clock }: Context): Reaction<Seen> =>
  (payload, _meta, tx) =>
    applyFact(
      tx,
      {
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
      },
      clock.now(),
    )
