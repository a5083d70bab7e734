import { exact } from '@svc/hyperliquid/rounding'

/**
 * Returns the mark price at which a position is liquidated if no other price moves; null without one above zero. `room` is
 * what the account's value is above its maintenance margin at `mark`; the size is signed.
 */
export function liquidationPrice(
  { size, mark, maxLeverage }: { readonly size: string; readonly mark: string; readonly maxLeverage: number },
  room: string,
): string | null {
  const held = exact(size)
  if (held.isZero()) return null
  const side = held.isNegative() ? -1 : 1
  const share = exact(1).div(2 * maxLeverage)
  const price = exact(mark).minus(
    exact(room)
      .times(side)
      .div(held.abs())
      .div(exact(1).minus(share.times(side))),
  )
  return price.gt(0) ? price.toSignificantDigits(5).toFixed() : null
}
