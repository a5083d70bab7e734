import { usdcText } from '@svc/limits'

/** Returns base units, which may be negative, as a decimal string: -3250000n is "-3.25". */
export function signedUsdcText(baseUnits: bigint): string {
  return baseUnits < 0n ? `-${usdcText(-baseUnits)}` : usdcText(baseUnits)
}
