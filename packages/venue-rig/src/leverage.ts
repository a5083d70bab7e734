import { initialOf, isIsolated, leverageOf, heldOn, valueOf } from './margin.ts'
import { listed, marketOf } from './markets.ts'
import { freeOn } from './modes.ts'
import { accountOf, type Account, dexAccount, type Num, num, type State, text } from './state.ts'

const NO_ROOM =
  'Cross position does not have sufficient margin available to decrease leverage. To decrease leverage, deposit more collateral.'
const NO_ISOLATED_ROOM =
  'Isolated position does not have sufficient margin available to decrease leverage. To decrease leverage, add margin to the position.'

/** Sets type and leverage of a market of an account. Returns the venue's refusal, or null. */
export function setLeverage(
  state: State,
  user: string,
  { asset, isCross, leverage }: { readonly asset: number; readonly isCross: boolean; readonly leverage: number },
): string | null {
  const at = listed(state, { asset })
  if (at === null) return `Asset not found: ${asset}`
  if (leverage < 1 || leverage > at.market.maxLeverage) return 'Invalid leverage value'
  const account = accountOf(state, user)
  if (isCross && at.market.marginMode !== null) return 'Cross margin is not allowed for this asset.'
  const own = dexAccount(account, at.dex.name)
  const held = heldOn(account, at.dex).find((one) => one.coin === at.coin)
  if (held !== undefined && (held.rawUsd === null) !== isCross) return 'Cannot switch leverage type with open position.'
  if (held !== undefined && held.rawUsd === null) {
    const more = initialOf({ ...held, leverage }).minus(initialOf(held))
    if (more.gt(freeOn(state, account, at.dex))) return NO_ROOM
  }
  if (held !== undefined && held.rawUsd !== null && initialOf({ ...held, leverage }).gt(valueOf(held)))
    return NO_ISOLATED_ROOM
  own.leverage[at.coin] = leverage
  own.isolated = { ...own.isolated, [at.coin]: !isCross }
  return null
}

/**
 * Moves USDC between an isolated position and the cash of its dex; `ntli` are millionths, negative to take out. Returns
 * the venue's refusal, or null.
 */
export function setIsolatedMargin(
  state: State,
  user: string,
  { asset, isBuy, ntli }: { readonly asset: number; readonly isBuy: boolean; readonly ntli: number },
): string | null {
  const at = listed(state, { asset })
  if (at === null) return `Asset not found: ${asset}`
  const account = accountOf(state, user)
  const own = dexAccount(account, at.dex.name)
  const held = heldOn(account, at.dex).find((one) => one.coin === at.coin)
  const position = own.positions[at.coin]
  if (held === undefined || position === undefined || held.size.isNegative() === isBuy)
    return 'Cannot update margin for empty position.'
  if (held.rawUsd === null) return 'Position does not use isolated margin.'
  if (ntli === 0) return 'Update to isolated margin cannot be zero.'
  const amount = num(ntli).div(1_000_000)
  if (amount.gt(freeOn(state, account, at.dex)))
    return 'Account does not have sufficient margin available for increase.'
  if (amount.isNegative()) {
    if (at.market.marginMode === 'strictIsolated')
      return 'Cannot remove isolated margin for this asset. To remove margin, reduce the position.'
    const tenth = held.size.abs().times(held.mark).div(10)
    const needed = initialOf(held)
    if (
      valueOf(held)
        .plus(amount)
        .lt(needed.gt(tenth) ? needed : tenth)
    )
      return 'Position does not have sufficient margin for reduction.'
  }
  position.rawUsd = text(held.rawUsd.plus(amount), 20)
  own.raw = text(num(own.raw).minus(amount), 20)
  return null
}

/** What the venue says of an account in one market, with or without a position: leverage, and what each side may take. */
export function activeAssetData(state: State, user: string, account: Account, coin: string): unknown {
  const { dex, market } = marketOf(state, coin)
  const held = heldOn(account, dex).find((one) => one.coin === coin)
  const value = leverageOf(account, dex, coin)
  const left = freeOn(state, account, dex)
  const free = left.isNegative() ? num(0) : left
  const isHeldOn = (side: 'buy' | 'sell') => held !== undefined && held.size.isNegative() === (side === 'buy')
  const available = (side: 'buy' | 'sell'): Num =>
    held !== undefined && isHeldOn(side) ? free.plus(initialOf(held).times(2)) : free
  const size = (side: 'buy' | 'sell'): Num =>
    free
      .times(value)
      .div(market.mark)
      .plus(held !== undefined && isHeldOn(side) ? held.size.abs().times(2) : 0)
      .toDecimalPlaces(market.sizeDecimals, 1)
  return {
    user,
    coin,
    leverage: isIsolated(account, dex, market)
      ? { type: 'isolated', value, rawUsd: text(held?.rawUsd ?? 0, 6) }
      : { type: 'cross', value },
    maxTradeSzs: [text(size('buy')), text(size('sell'))],
    availableToTrade: [text(available('buy'), 6), text(available('sell'), 6)],
    markPx: market.mark,
  }
}
