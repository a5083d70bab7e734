import { shareOf, unitsOf } from '../../lib/money.ts'
import type { Live } from './lives.ts'

/** The rail of a UTC day: shares of the daily cap, 0 to 1. */
export interface Today {
  readonly use: number
  readonly hold: number
  /** Base units: spent, held for the owner or reserved at the leg, and the cap. */
  readonly used: bigint
  readonly held: bigint
  readonly cap: bigint
}

type Usage = NonNullable<Live['usage']>

/** Returns the rail of today. The cap is that of the limits; a use above it ends at the post. */
export function todayOf(usage: Usage, dailyCap: string): Today {
  const used = unitsOf(usage.used_usdc) + unitsOf(usage.leg_used_usdc)
  const held = unitsOf(usage.held_usdc) + unitsOf(usage.reserved_usdc)
  const cap = unitsOf(dailyCap)
  const use = Math.min(1, shareOf(used, cap))
  return { use, hold: Math.min(1 - use, shareOf(held, cap)), used, held, cap }
}
