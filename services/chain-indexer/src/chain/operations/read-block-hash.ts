import { findHeader } from '@svc/chain'
import { ok } from '@svc/contract'
import type { chainIndexer } from '@svc/contracts/chain-indexer'
import type { BoundHandler } from '@svc/service'
import { chainOfCall, type Context } from '#context.ts'

export const readBlockHash: BoundHandler<Context, typeof chainIndexer.operations.readBlockHash> =
  (context) => async (input) => {
    const header = await findHeader(chainOfCall(context), BigInt(input.block_number))
    return ok(200, { block_hash: header?.hash ?? null })
  }
