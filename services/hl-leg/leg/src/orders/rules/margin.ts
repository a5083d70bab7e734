import { exact, floorUsdc, usdcUp } from '@svc/hyperliquid/rounding'

/** What is moved for a missing margin, as a multiple of it: prices move between the reading and the order. */
const MARGIN_SHARE = '1.1'
/** Less than this is left where it is, USDC. */
const DUST_USDC = '0.01'

/** Free USDC of an account by dex, decimal text. */
export type Free = ReadonlyMap<string, string>

/** A move of the owner's USDC from one dex to another. */
export interface Move {
  readonly from: string
  readonly to: string
  readonly amountUsdc: string
}

/** An open, by what its margin follows from; `leverage` is the account's own setting for the market. */
interface Opening {
  readonly dex: string
  readonly notionalUsdc: string
  readonly leverage: number
}

/** Returns the initial margin that an open lacks on its dex; decimal text, '0' if nothing is missing. */
export function missingMargin({ dex, notionalUsdc, leverage }: Opening, free: Free): string {
  const missing = exact(notionalUsdc)
    .div(leverage)
    .minus(free.get(dex) ?? 0)
  return missing.gt(0) ? usdcUp(missing) : '0'
}

/** Returns true if an open on another dex lacks more margin than the main dex has free. */
export const isMarginShort = (order: Opening, free: Free): boolean =>
  order.dex !== '' && exact(missingMargin(order, free)).gt(free.get('') ?? 0)

/**
 * Returns the move that an open needs on a dex other than the main one: the missing initial margin × 1.1, or what the
 * main dex has free if that is less. Null if nothing is missing, or nothing is free.
 */
export function marginMove(order: Opening, free: Free): Move | null {
  const missing = missingMargin(order, free)
  if (order.dex === '' || missing === '0') return null
  const there = exact(free.get('') ?? 0)
  const wanted = exact(usdcUp(exact(missing).times(MARGIN_SHARE)))
  const amount = floorUsdc(wanted.lt(there) ? wanted : there)
  return exact(amount).lt(DUST_USDC) ? null : { from: '', to: order.dex, amountUsdc: amount }
}

/** Returns the move that brings free USDC of a dex back to the main one; null while it has a position or only dust. */
export function homeMove(dex: string, positions: number, freeUsdc: string): Move | null {
  if (dex === '' || positions > 0 || exact(freeUsdc).lt(DUST_USDC)) return null
  return { from: dex, to: '', amountUsdc: floorUsdc(freeUsdc) }
}
