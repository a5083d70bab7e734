/** Base units of a USDC amount whose form the contract has checked: "12.5" is 12500000n. */
export function usdcUnits(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, '0'))
}
