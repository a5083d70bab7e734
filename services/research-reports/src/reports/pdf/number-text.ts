import type { Language } from '../rules/report.ts'

/** Text of an unknown figure. */
export const UNKNOWN = '–'

const fixed = [0, 1, 2, 3].map(
  (digits) => new Intl.NumberFormat('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits }),
)
const plain = (value: number, digits: number) => fixed[digits]?.format(value) ?? String(value)

/** Writes a number with three significant digits, but whole numbers in full: 0.0897, 1.23, 12.3, 1,234. */
export function short(value: number | null): string {
  if (value === null) return UNKNOWN
  const size = Math.abs(value)
  if (size >= 100 || value === 0) return plain(value, 0)
  if (size >= 10) return plain(value, 1)
  if (size >= 1) return plain(value, 2)
  return String(Number(value.toPrecision(3)))
}

/** Writes a price with up to six significant digits, without powers of ten above 1e-12. */
export function price(value: number | null): string {
  if (value === null) return UNKNOWN
  const size = Math.abs(value)
  if (size >= 1_000) return plain(value, 0)
  if (size >= 1) return plain(value, 3)
  const digits = size === 0 ? 0 : Math.min(12, 3 - Math.floor(Math.log10(size)))
  return value.toFixed(digits)
}

/** Writes a price of an axis, whose ticks are round. */
export const axisPrice = (value: number): string =>
  Math.abs(value) >= 1_000 ? plain(value, 0) : String(Number(value.toPrecision(4)))

const STEPS = [
  [1e9, 'B'],
  [1e6, 'M'],
  [1e3, 'k'],
] as const

/** Writes dollars in thousands, millions or billions. */
export function usd(value: number | null): string {
  if (value === null) return UNKNOWN
  const size = Math.abs(value)
  if (size === 0) return '$0'
  const [step, letter] = STEPS.find(([least]) => size >= least) ?? [1, '']
  const scaled = size / step
  const digits = (letter === '' && scaled >= 10) || scaled >= 100 ? 0 : scaled >= 10 ? 1 : 2
  return `${value < 0 ? '-' : ''}$${plain(scaled, digits)}${letter}`
}

/** Writes a tick of an axis without the digits that say nothing: $50.0k as $50k. */
export const tickText = (text: string): string => text.replace(/\.0+(?=[^0-9]|$)/, '')

/** Marks a text as a lower bound of its value. */
export const atLeast = (isLowerBound: boolean, text: string): string =>
  isLowerBound && text !== UNKNOWN ? `≥ ${text}` : text

export const bps = (value: number | null): string => (value === null ? UNKNOWN : `${short(value)} bp`)
export const percent = (share: number | null, digits = 1): string =>
  share === null ? UNKNOWN : `${plain(share * 100, digits)}%`
export const points = (value: number | null, digits = 1): string => (value === null ? UNKNOWN : plain(value, digits))
export const whole = (value: number | null): string => (value === null ? UNKNOWN : plain(value, 0))
export const milliseconds = (value: number | null): string => (value === null ? UNKNOWN : `${whole(value)} ms`)

/** Writes a supply in whole tokens, or in base units if the decimals are unknown: in full up to a quadrillion, else in powers of ten. */
export function supply(baseUnits: string | null, decimals: number | null): string {
  if (baseUnits === null) return UNKNOWN
  const tokens = BigInt(baseUnits) / 10n ** BigInt(decimals ?? 0)
  const text = tokens < 10n ** 15n ? tokens.toLocaleString('en-US') : Number(tokens).toExponential(3)
  return decimals === null ? `${text} base units` : text
}

/** Writes a change in percent with its sign. */
export const signed = (percentage: number | null): string =>
  percentage === null ? UNKNOWN : `${percentage > 0 ? '+' : ''}${plain(percentage, 1)}%`

/** Writes a day in full. */
export const dateOf = (instant: string): string => instant.slice(0, 10)

/** Writes the UTC day and minute of an instant. */
export const minuteOf = (instant: string): string => `${instant.slice(0, 10)} ${instant.slice(11, 16)} UTC`

/** Writes a day for an axis. */
export const dayOf = (time: Date, lang: Language): string =>
  lang === 'ko'
    ? `${time.getUTCMonth() + 1}.${time.getUTCDate()}`
    : `${time.getUTCDate()} ${MONTHS[time.getUTCMonth()] ?? ''}`
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
/** Writes hour and minute, UTC. */
export const clockOf = (time: Date): string => time.toISOString().slice(11, 16)
