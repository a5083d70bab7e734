const DECIMALS = 8
const ONE = 10n ** BigInt(DECIMALS)

/** Returns decimal text as units of 10⁻⁸, cut after the eighth decimal. */
export function units(text: string): bigint {
  const [, sign = '', whole = '0', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  const value = BigInt(whole + fraction.slice(0, DECIMALS).padEnd(DECIMALS, '0'))
  return sign === '-' ? -value : value
}

/** Returns the product of two decimal texts in units of 10⁻⁸. */
export const product = (one: string, other: string): bigint => (units(one) * units(other)) / ONE

export const total = (values: readonly bigint[]): bigint => values.reduce((sum, value) => sum + value, 0n)

/** True if two amounts differ by less than a hundredth of a cent, which rounding explains. */
export const isNear = (one: bigint, other: bigint): boolean =>
  (one > other ? one - other : other - one) <= ONE / 10_000n

/** Returns an amount in dollars with four decimals. */
export function dollars(value: bigint): string {
  const [sign, size] = value < 0n ? ['-', -value] : ['', value]
  return `${sign}${size / ONE}.${String((size % ONE) / 10_000n).padStart(4, '0')}`
}
