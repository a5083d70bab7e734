import { exact, usdcNear, usdcUp } from '@svc/hyperliquid/rounding'
import { walkBook, type BookLevel } from './walk-book.ts'
import { liquidationPrice } from './liquidation.ts'
import type { Plan } from './plan-order.ts'

/** What an estimate is made from; decimal text. */
export interface Surroundings {
  readonly bids: readonly BookLevel[]
  readonly asks: readonly BookLevel[]
  readonly mark: string
  /** Signed size of the position before the order. */
  readonly position: string
  /** Of the account on the dex of the market. */
  readonly accountValue: string
  readonly maxLeverage: number
  readonly sizeDecimals: number
  readonly takerFee: string
}

/** Walks a planned order through the book, and the close of the position that it leaves through what is left. */
export function estimateOf(plan: Plan, at: Surroundings) {
  const { side, size, worstPrice } = plan
  const { bids, asks, mark, takerFee, sizeDecimals } = at
  const order = { side, quantity: { size }, limitPrice: worstPrice, takerFee, sizeDecimals }
  const walk = walkBook({ bids, asks }, order)
  const sign = side === 'buy' ? 1 : -1
  const slip = walk.averagePrice === null ? null : exact(walk.averagePrice).minus(mark).times(sign).div(mark)
  const after = exact(at.position).plus(exact(walk.filledSize).times(sign))
  const cost = exact(walk.averagePrice ?? mark)
    .minus(mark)
    .times(sign)
    .times(walk.filledSize)
    .plus(walk.feeUsdc)
  return {
    fills: {
      filled_size: walk.filledSize,
      average_price: walk.averagePrice,
      notional_usdc: usdcNear(walk.notionalUsdc),
      fee_usdc: walk.feeUsdc,
      slippage_bps: slip === null ? null : Math.max(0, slip.times(10_000).toDecimalPlaces(2).toNumber()),
      unfilled_size: walk.unfilled,
    },
    liquidation_price: liquidationOf(after.toFixed(), exact(at.accountValue).minus(cost).toFixed(), at),
    stop_line_loss_usdc: stopLossOf(after.toFixed(), cost.toFixed(), at),
  }
}

/** Price at which the position would be liquidated if nothing else moved; null if there is none above zero. */
function liquidationOf(size: string, accountValue: string, { mark, maxLeverage }: Surroundings): string | null {
  const maintenance = exact(size)
    .abs()
    .times(mark)
    .div(2 * maxLeverage)
  return liquidationPrice({ size, mark, maxLeverage }, exact(accountValue).minus(maintenance).toFixed())
}

/** What the account loses against the mark price if the position is closed at the book right after the order. */
function stopLossOf(size: string, cost: string, at: Surroundings): string | null {
  const held = exact(size)
  if (held.isZero()) return usdcUp(cost)
  const side = held.isNegative() ? 'buy' : 'sell'
  const order = {
    side,
    quantity: { size: held.abs().toFixed() },
    takerFee: at.takerFee,
    sizeDecimals: at.sizeDecimals,
  } as const
  const walk = walkBook({ bids: at.bids, asks: at.asks }, order)
  if (walk.averagePrice === null || !exact(walk.filledSize).eq(held.abs())) return null
  const slip = exact(walk.averagePrice)
    .minus(at.mark)
    .times(side === 'buy' ? 1 : -1)
    .times(walk.filledSize)
  return usdcUp(exact(cost).plus(slip).plus(walk.feeUsdc))
}
