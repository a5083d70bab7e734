import { ok, refuse } from '@svc/contract'
import type { marketData } from '@svc/contracts/market-data'
import { miningRefusals } from '@svc/contracts/mining/refusals'
import { callerOf, type BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { removeTarget as remove } from '../store/targets.ts'
import { tokenIdOf } from '#listings/store/tokens.ts'

export const removeTarget: BoundHandler<Context, typeof marketData.operations.removeTarget> =
  ({ pool }) =>
  async ({ exchange, symbol }, call) => {
    const { account_id } = callerOf(call)
    // A delisted pair is not on the board but must be removable.
    const tokenId = await tokenIdOf(pool, exchange, symbol)
    if (tokenId === null) refuse(miningRefusals.unknownPair, `${exchange} never had a pair ${symbol}.`)
    return call.effect(async (tx) =>
      ok(200, { ok: true, exchange, symbol, removed: await remove(tx, account_id, tokenId) }),
    )
  }
