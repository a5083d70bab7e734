import { ok, refuse } from '@svc/contract'
import type { hlLeg } from '@svc/contracts/hl-leg'
import { unknownMarket } from '@svc/contracts/hl-leg/orders'
import { legRefusals } from '@svc/contracts/hl-leg/refusals'
import { Outage, type BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { readLeg } from '#legs/store/legs.ts'
import { requireBand, requireOne } from '@svc/venue/order-input'
import { requirePlan } from '@svc/venue/require-plan'
import { estimateOf } from '@svc/venue/rules/estimate'
import { planOrder } from '@svc/venue/rules/plan-order'
import { takerFeeOf } from '@svc/venue/rules/taker-fee'
import { readScene } from '../read-scene.ts'

export const simulateLegOrder: BoundHandler<Context, typeof hlLeg.operations.simulateLegOrder> =
  (context) => async (input) => {
    const { market: marketId, side, amount_usdc: amountUsdc = null, size = null, max_slippage = null } = input
    requireOne(amountUsdc, size)
    requireBand(max_slippage, context.settings.slippagePct)
    const leg = await readLeg(context.pool, input.public_id)
    if (leg === null) refuse(legRefusals.none)
    const scene = await readScene(context, leg, marketId, false)
    if (scene === null) refuse(unknownMarket)
    const { market, book, prices, position, reading } = scene
    if (book === null) throw new Outage('venue', 'the book of the market is missing')
    const takerFee = takerFeeOf(market.coin)
    const band = max_slippage ?? context.settings.slippagePct
    const held = position?.size ?? '0'
    const planned = planOrder(
      { side, amountUsdc, size, reduceOnly: false },
      { position: held, prices, band, sizeDecimals: market.sizeDecimals, takerFee },
    )
    const plan = requirePlan(planned, held)
    const dex = reading.dexes.find((one) => one.dex === market.dex)
    return ok(200, {
      market: marketId,
      side,
      opening: plan.opening,
      size: plan.size,
      worst_price: plan.worstPrice,
      reference_price: plan.referencePrice,
      notional_usdc: plan.notionalUsdc,
      loss_usdc: plan.lossUsdc,
      ...estimateOf(plan, {
        bids: book.bids.map(({ px, sz }) => ({ price: px, size: sz })),
        asks: book.asks.map(({ px, sz }) => ({ price: px, size: sz })),
        mark: prices.mark,
        position: held,
        accountValue: dex?.accountValue ?? '0',
        maxLeverage: market.maxLeverage,
        sizeDecimals: market.sizeDecimals,
        takerFee,
      }),
      mark_price: prices.mark,
      read_at: reading.readAt.toISOString(),
    })
  }
