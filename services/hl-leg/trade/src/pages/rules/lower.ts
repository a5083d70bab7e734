import { exact } from '@svc/hyperliquid/rounding'

/** Limits in USDC as decimal text; null for one that is not asked for. */
interface Limits<Figure> {
  readonly perOrderUsdc: Figure
  readonly dailyUsdc: Figure
}

/** Returns true if one of the limits that are asked for is higher than the one that stands. */
export function isRaise(standing: Limits<string>, asked: Limits<string | null>): boolean {
  const isHigher = (limit: string | null, than: string) => limit !== null && exact(limit).gt(than)
  return isHigher(asked.perOrderUsdc, standing.perOrderUsdc) || isHigher(asked.dailyUsdc, standing.dailyUsdc)
}
