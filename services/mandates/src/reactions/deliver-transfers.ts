import type { chainIndexer } from '@svc/contracts/chain-indexer'
import type { Reaction } from '@svc/service'
import { Outage } from '@svc/service'
import type { z } from 'zod'
import type { Context } from '../context.ts'
import { deliverTransaction } from '../deliver-transaction.ts'
import { keepInTransit, lockTransfers, raiseRevision, transfersOfTransaction } from '../store/transfers.ts'

type Confirmed = z.output<typeof chainIndexer.events.transactionConfirmed.payload>

/**
 * Delivers the reported transfers that a confirmed transaction carries, or takes that back after a reorganisation. What
 * is told late, after a higher revision, changes nothing.
 */
export const deliverTransfers =
  (context: Context): Reaction<Confirmed> =>
  async (confirmed, _meta, tx) => {
    const txHash = confirmed.tx_hash.toLowerCase()
    await lockTransfers(tx, confirmed.chain_id, txHash)
    const known = await transfersOfTransaction(tx, confirmed.chain_id, txHash)
    if (known.length === 0 || known.some(({ revision }) => revision >= confirmed.revision)) return
    await raiseRevision(tx, confirmed.chain_id, txHash, confirmed.revision)
    if (!confirmed.canonical) {
      for (const { id } of known) await keepInTransit(tx, id, 'waiting_for_chain')
      return
    }
    const transaction = await context.indexer.readTransaction(txHash)
    if (transaction === null || transaction.state !== 'mined')
      throw new Outage('chain', 'a confirmed transaction is not there')
    await deliverTransaction(tx, context, transaction)
  }
