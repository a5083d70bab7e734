import type { chainIndexer } from '@svc/contracts/chain-indexer'
import type { z } from 'zod'
import type { ChainFact } from './rules/chain-fact.ts'

type Seen = z.output<typeof chainIndexer.events.vaultEventSeen.payload>

/** Converts an event of chain-indexer to the stored form of a fact. */
export function factOf(told: Pick<Seen, Exclude<keyof Seen, 'name'>> & { readonly name: string }): ChainFact {
  return {
    chainId: told.chain_id,
    txHash: told.tx_hash.toLowerCase(),
    logOrdinal: told.log_ordinal,
    logIndex: told.log_index,
    vault: told.vault.toLowerCase(),
    name: told.name,
    args: told.args,
    blockNumber: told.block_number,
    blockHash: told.block_hash.toLowerCase(),
    blockTime: told.block_time,
    revision: told.revision,
    canonical: told.canonical,
  }
}
