import { ok } from '@svc/contract'
import type { chainIndexer } from '@svc/contracts/chain-indexer'
import type { BoundHandler } from '@svc/service'
import { chainOfCall, type Context } from '#context.ts'
import { watchTransaction as store } from '../store/watched-transactions.ts'

export const watchTransaction: BoundHandler<Context, typeof chainIndexer.operations.watchTransaction> =
  (context) => async (input, call) => {
    const chain = chainOfCall(context)
    return call.effect(async (tx) => {
      await store(tx, chain.id, { txHash: input.tx_hash.toLowerCase(), askedBy: call.from, at: call.now })
      return ok(200, { ok: true })
    })
  }
