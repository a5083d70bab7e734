const unit = 1_000_000n

/** Returns USDC base units as a decimal string without trailing zeros: 12500000n is "12.5". The amount must not be negative. */
export function usdcText(baseUnits: bigint): string {
  const fraction = String(baseUnits % unit)
    .padStart(6, '0')
    .replace(/0+$/, '')
  return fraction === '' ? String(baseUnits / unit) : `${baseUnits / unit}.${fraction}`
}

/** Returns base units, which may be negative, as a decimal string: -3250000n is "-3.25". */
export const signedUsdcText = (baseUnits: bigint): string =>
  baseUnits < 0n ? `-${usdcText(-baseUnits)}` : usdcText(baseUnits)
