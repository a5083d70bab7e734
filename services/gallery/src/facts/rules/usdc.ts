/** Returns USDC base units of a decimal string as the API writes it: "12.5" is 12500000n. */
export function baseUnitsOf(usdc: string): bigint {
  const [whole = '0', fraction = ''] = usdc.split('.')
  return BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, '0'))
}
