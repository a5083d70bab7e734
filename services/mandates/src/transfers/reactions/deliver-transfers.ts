import type { chainIndexer } from '@svc/contracts/chain-indexer'
import type { BoundReaction } from '@svc/service'
import { Outage } from '@svc/service'
import type { z } from 'zod'
import type { Context, LocalContext } from '#context.ts'
import { deliverTransaction, walletsOf, type Wallets } from '../deliver-transaction.ts'
import type { ChainTransaction } from '@svc/contracts/chain-indexer/transactions'
import { keepInTransit, lockTransfers, raiseRevision, reportedTransfers, type Transfer } from '../store/transfers.ts'

type Confirmed = z.output<typeof chainIndexer.events.transactionConfirmed.payload>

/** What chain-indexer and identity know about the transaction and the agents. */
interface Look {
  readonly transaction: ChainTransaction
  readonly wallets: Wallets
}

/** Returns true if an event contains news about reported transfers. */
const isNews = (known: readonly Transfer[], { revision }: Confirmed): boolean =>
  known.length > 0 && known.every((transfer) => transfer.revision < revision)

/**
 * Delivers the reported transfers that a confirmed transaction contains, or puts them back in transit after a
 * reorganisation. An event with a lower revision than an earlier event changes nothing.
 */
export const deliverTransfers: BoundReaction<Context, LocalContext, Confirmed, Look | null> = {
  prepare:
    ({ pool, chainClient, agentsClient }) =>
    async ({ payload }) => {
      const known = await reportedTransfers(pool, payload.chain_id, payload.tx_hash.toLowerCase())
      if (!payload.canonical || !isNews(known, payload)) return null
      const transaction = await chainClient.readTransaction(payload.tx_hash.toLowerCase())
      if (transaction === null || transaction.state !== 'mined')
        throw new Outage('chain', 'a confirmed transaction is not there')
      return { transaction, wallets: await walletsOf(agentsClient, known) }
    },
  apply:
    () =>
    async (tx, { payload }, look) => {
      const txHash = payload.tx_hash.toLowerCase()
      await lockTransfers(tx, payload.chain_id, txHash)
      const known = await reportedTransfers(tx, payload.chain_id, txHash)
      if (!isNews(known, payload)) return
      await raiseRevision(tx, payload.chain_id, txHash, payload.revision)
      if (!payload.canonical) {
        for (const { id } of known) await keepInTransit(tx, id, 'waiting_for_chain')
        return
      }
      if (look === null) throw new Outage('transfers', 'a transfer was reported since the chain was asked')
      await deliverTransaction(tx, look.transaction, known, look.wallets)
    },
}
