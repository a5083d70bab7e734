/** Converts a USDC amount, whose form the contract has validated, to base units: "12.5" becomes 12500000n. */
export function usdcUnits(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, '0'))
}

/** Converts a USDC amount that may be negative to base units. */
export const signedUnits = (text: string): bigint =>
  text.startsWith('-') ? -usdcUnits(text.slice(1)) : usdcUnits(text)
