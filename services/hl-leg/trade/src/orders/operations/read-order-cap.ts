import { ok } from '@svc/contract'
import type { hlTrade } from '@svc/contracts/hl-trade'
import { callerOf, type BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { readCapView } from '../caps-of.ts'
import { ownerOf } from '../owner-of.ts'

export const readOrderCap: BoundHandler<Context, typeof hlTrade.operations.readOrderCap> =
  (context) => async (_, call) => {
    const { ownerId } = await ownerOf(context, call)
    const who = { ownerId, accountId: callerOf(call).account_id, door: 'terminal' as const }
    return ok(200, await readCapView(context, context.pool, who))
  }
