import { ok, refuse } from '@svc/contract'
import { miningRefusals } from '@svc/contracts/mining/refusals'
import type { mining } from '@svc/contracts/mining'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { listing } from '../rules/listing.ts'
import { currentPrice } from '#prices/store/prices.ts'
import { tokenState } from '../store/tokens.ts'

export const listFields: BoundHandler<Context, typeof mining.operations.listFields> = (context) => async (input) => {
  const pair = await context.findPair(input.exchange, input.symbol.replace('_', '/'))
  if (pair === null) refuse(miningRefusals.unknownPair)
  const [price, token] = await Promise.all([currentPrice(context.pool), tokenState(context.pool, pair.token_id)])
  return ok(200, listing(pair.token_id, price.payout_point_price, token))
}
