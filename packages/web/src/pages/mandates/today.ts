import type { Live } from './answers.ts'

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

/** Converts a USDC amount of an answer to base units. */
export function units(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, '0'))
}

const share = (part: bigint, whole: bigint): number => (whole === 0n ? 0 : Number((part * 10_000n) / whole) / 10_000)

/** Returns the rail of today. The cap is that of the limits; a use above it ends at the post. */
export function todayOf(usage: Usage, dailyCap: string): Today {
  const used = units(usage.used_usdc) + units(usage.leg_used_usdc)
  const held = units(usage.held_usdc) + units(usage.reserved_usdc)
  const cap = units(dailyCap)
  const use = Math.min(1, share(used, cap))
  return { use, hold: Math.min(1 - use, share(held, cap)), used, held, cap }
}
