const unit = 1_000_000n

/** Returns USDC base units, which may be negative, as a decimal string without trailing zeros: -3250000n is "-3.25". */
export function usdcText(baseUnits: bigint): string {
  const size = baseUnits < 0n ? -baseUnits : baseUnits
  const fraction = String(size % unit)
    .padStart(6, '0')
    .replace(/0+$/, '')
  return `${baseUnits < 0n ? '-' : ''}${size / unit}${fraction === '' ? '' : `.${fraction}`}`
}
