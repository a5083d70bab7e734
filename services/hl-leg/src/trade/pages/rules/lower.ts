import { exact } from '@svc/hyperliquid/rounding'

interface Limits {
  readonly perOrderUsdc: string
  readonly dailyUsdc: string
}

/** Returns limits with those that are asked for in their place; null if one of them is higher than the one that stands. */
export function lowered(
  standing: Limits,
  asked: { readonly perOrderUsdc: string | undefined; readonly dailyUsdc: string | undefined },
): Limits | null {
  const perOrderUsdc = asked.perOrderUsdc ?? standing.perOrderUsdc
  const dailyUsdc = asked.dailyUsdc ?? standing.dailyUsdc
  const isHigher = exact(perOrderUsdc).gt(standing.perOrderUsdc) || exact(dailyUsdc).gt(standing.dailyUsdc)
  return isHigher ? null : { perOrderUsdc, dailyUsdc }
}
