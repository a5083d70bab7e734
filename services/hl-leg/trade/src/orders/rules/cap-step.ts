import { exact, floorUsdc } from '@svc/hyperliquid/rounding'

interface Cap {
  readonly perOrderUsdc: string
  readonly dailyUsdc: string
}

/** Doubles the cap of one order up to a maximum; the daily cap grows in the same proportion, rounded down. */
export function raised({ perOrderUsdc, dailyUsdc }: Cap, maximum: string): Cap {
  const doubled = exact(perOrderUsdc).times(2)
  const next = doubled.gt(maximum) ? exact(maximum) : doubled
  if (next.lte(perOrderUsdc)) return { perOrderUsdc, dailyUsdc }
  const daily = exact(dailyUsdc).times(next).div(perOrderUsdc)
  return { perOrderUsdc: next.toFixed(), dailyUsdc: floorUsdc(daily) }
}
