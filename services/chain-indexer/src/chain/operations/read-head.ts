import { headNumber, readHeader } from '@svc/chain'
import { ok } from '@svc/contract'
import type { chainIndexer } from '@svc/contracts/chain-indexer'
import type { BoundHandler } from '@svc/service'
import { recordClockSkew } from '#streams/clock-skew.ts'
import { chainOfCall, type Context } from '#context.ts'
import { allCursors } from '#streams/store/cursors.ts'
import { timeOf } from '#wire-values.ts'

export const readHead: BoundHandler<Context, typeof chainIndexer.operations.readHead> =
  (context) => async (_input, call) => {
    const chain = chainOfCall(context)
    const head = await headNumber(chain)
    const { timestamp, hash } = await readHeader(chain, head)
    recordClockSkew(timestamp, call.now)
    const cursors = await allCursors(context.pool, chain.id)
    const { usdc, factory, factoryV2 } = chain.addresses
    return ok(200, {
      chain_id: chain.id,
      head: Number(head),
      head_hash: hash,
      head_time: timeOf(timestamp),
      safe_head: Math.max(0, Number(head) - chain.confirmations),
      addresses: { usdc, factory, factory_v2: factoryV2 },
      streams: cursors.map(({ stream, next_block, stopped, updated_at }) => ({
        stream,
        next_block,
        stopped,
        updated_at,
      })),
    })
  }
