/** Decimal places of prices, amounts and fees; further digits are cut. */
const places = 18

export const UNIT = 10n ** BigInt(places)

/**
 * Returns the number as a multiple of 10⁻¹⁸, from its shortest decimal form: 0.1 is exactly one tenth. Null if the number is
 * negative or not finite.
 */
export function toUnits(value: number): bigint | null {
  const parts = /^(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value))
  if (parts === null) return null
  const [, whole = '', fraction = '', exponent = '0'] = parts
  const shift = places + Number(exponent) - fraction.length
  const digits = BigInt(whole + fraction)
  return shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift)
}

/** Returns the exact decimal text of `value · 10^-scale`, without trailing zeros. */
export function decimalText(value: bigint, scale: number): string {
  const digits = (value < 0n ? -value : value).toString().padStart(scale + 1, '0')
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '')
  const text = digits.slice(0, digits.length - scale) + (fraction === '' ? '' : `.${fraction}`)
  return value < 0n ? `-${text}` : text
}

export function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b]
  while (y > 0n) [x, y] = [y, x % y]
  return x
}
