import { ok } from '@svc/contract'
import type { chainIndexer } from '@svc/contracts/chain-indexer'
import type { BoundHandler } from '@svc/service'
import { chainOfCall, type Context } from '#context.ts'
import { watchAddress as store } from '../store/watched-addresses.ts'
import { addressOf } from '#wire-values.ts'

export const watchAddress: BoundHandler<Context, typeof chainIndexer.operations.watchAddress> =
  (context) => async (input, call) => {
    const chain = chainOfCall(context)
    return call.effect(async (tx) => {
      await store(tx, chain.id, {
        address: addressOf(input.address),
        kind: input.kind,
        askedBy: call.from,
        since: input.since ?? call.now.toISOString(),
      })
      return ok(200, { ok: true })
    })
  }
