/** Digits after the point of a fixed-point figure: enough for every price and size of the venue. */
const DIGITS = 18
const ONE = 10n ** BigInt(DIGITS)
const PLAIN = /^(-?)(\d{1,40})(?:\.(\d{1,40}))?$/

/** Converts plain decimal text to a fixed-point figure of 10⁻¹⁸, cut after it; null for any other text. */
export function fixed(text: string): bigint | null {
  const [, sign, whole, fraction = ''] = PLAIN.exec(text) ?? []
  if (sign === undefined || whole === undefined) return null
  const value = BigInt(whole + fraction.slice(0, DIGITS).padEnd(DIGITS, '0'))
  return sign === '-' ? -value : value
}

/** Converts text of an answer, whose form the contract guarantees; a form that is unknown is an error, never a zero. */
export function fixedOf(text: string): bigint {
  const value = fixed(text)
  if (value === null) throw new RangeError(`not a plain decimal figure: ${text.slice(0, 60)}`)
  return value
}

/** Returns plain decimal text with at most `digits` decimals, cut, without needless zeros. */
export function fixedText(value: bigint, digits = DIGITS): string {
  const size = value < 0n ? -value : value
  const fraction = String(size % ONE)
    .padStart(DIGITS, '0')
    .slice(0, digits)
    .replace(/0+$/, '')
  const text = fraction === '' ? String(size / ONE) : `${size / ONE}.${fraction}`
  return value < 0n && /[1-9]/.test(text) ? `-${text}` : text
}

/** Multiplies two fixed-point figures, cut. */
export const times = (one: bigint, other: bigint): bigint => (one * other) / ONE

/** Returns a share as a number of 0 to `max` for a rail. */
export function shareOf(part: bigint, whole: bigint, max = 1): number {
  if (whole <= 0n) return part > 0n ? max : 0
  const share = Number((part * 10_000n) / whole) / 10_000
  return Math.max(0, Math.min(max, share))
}
