/** Returns the units of a decimal string at this number of decimals; null if the string has more decimals. */
export function unitsOf(text: string, decimals: number): bigint | null {
  const [whole = '0', fraction = ''] = text.split('.')
  if (fraction.length > decimals) return null
  return BigInt(whole) * 10n ** BigInt(decimals) + BigInt(fraction.padEnd(decimals, '0') || '0')
}

/** Returns units as a decimal string without trailing zeros. The amount must not be negative. */
export function decimalText(units: bigint, decimals: number): string {
  const one = 10n ** BigInt(decimals)
  const fraction = String(units % one)
    .padStart(decimals, '0')
    .replace(/0+$/, '')
  return decimals === 0 || fraction === '' ? String(units / one) : `${units / one}.${fraction}`
}
