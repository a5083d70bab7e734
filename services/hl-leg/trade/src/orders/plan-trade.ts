import { refuse } from '@svc/contract'
import { common } from '@svc/contracts'
import { nothingToClose } from '@svc/contracts/hl-trade/books'
import type { TradeEstimate } from '@svc/contracts/hl-trade/order-schemas'
import { exact } from '@svc/hyperliquid/rounding'
import { estimateOf } from '@svc/venue/rules/estimate'
import { requirePlan } from '@svc/venue/require-plan'
import { planOrder, type Plan } from '@svc/venue/rules/plan-order'
import { takerFeeOf } from '@svc/venue/rules/taker-fee'
import type { TradeScene } from './read-scene.ts'
import type { TradeRequest } from './trade-request.ts'

/** Smallest notional of an opening order at the venue, USDC, at the first price of the book. */
const MINIMUM_USDC = '10'

/** Plans an order from the fresh position. Refuses where there is no plan, and an open that the venue would not accept. */
export function planTrade(request: TradeRequest, scene: TradeScene, band: string): Plan {
  const held = scene.position?.size ?? '0'
  const { market, prices } = scene
  const plan = requirePlan(
    planOrder(request, {
      position: held,
      prices,
      band,
      sizeDecimals: market.sizeDecimals,
      takerFee: takerFeeOf(market.coin),
    }),
    held,
    nothingToClose,
  )
  if (plan.opening) requireVenueRules(plan, scene)
  return plan
}

function requireVenueRules(plan: Plan, { market, prices }: TradeScene): void {
  const invalid = (pointer: string, code: string, detail: string) =>
    refuse(common.invalidRequest, undefined, {}, [{ pointer, code, detail }])
  if (plan.offLot)
    invalid('/size', 'off_lot', `send a size with at most ${market.sizeDecimals} decimals, the lot of the market`)
  const first = plan.side === 'buy' ? prices.ask : prices.bid
  if (first !== null && exact(plan.size).times(first).lt(MINIMUM_USDC))
    invalid('/amount_usdc', 'too_small', `ask for more: the venue accepts no order below ${MINIMUM_USDC} USDC`)
}

/** Returns what a planned order would do to the book and the account now; `builderFee` is a share of the notional. */
export function estimateTrade(plan: Plan, scene: TradeScene, builderFee: string): TradeEstimate {
  const { market, book, prices, position, reading } = scene
  const dex = reading.dexes.find((one) => one.dex === market.dex)
  const { fills, liquidation_price } = estimateOf(plan, {
    bids: book?.bids ?? [],
    asks: book?.asks ?? [],
    mark: prices.mark,
    position: position?.size ?? '0',
    accountValue: dex?.accountValue ?? '0',
    maxLeverage: market.maxLeverage,
    sizeDecimals: market.sizeDecimals,
    takerFee: exact(takerFeeOf(market.coin)).plus(builderFee).toFixed(),
  })
  return {
    price: fills.average_price,
    size: plan.size,
    worst_price: plan.worstPrice,
    reference_price: plan.referencePrice,
    notional_usdc: plan.notionalUsdc,
    fee_usdc: fills.fee_usdc,
    slippage_bps: fills.slippage_bps,
    liquidation_price,
  }
}
