/** Languages of the pages. */
export type NumberLanguage = 'en' | 'ko'

/** Base units of one USDC. */
export const UNIT = 1_000_000n
/** What stands for an unknown figure. Unknown is never shown as zero. */
export const UNKNOWN = '—'
const MINUS = '−'

/** Returns a decimal string of the API, which may be negative, in base units. Throws RangeError for any other text. */
export function unitsOf(text: string): bigint {
  const [, sign, whole, fraction] = /^(-?)(\d{1,40})(?:\.(\d{1,6}))?$/.exec(text) ?? []
  if (whole === undefined) throw new RangeError(`not an amount of USDC: ${text.slice(0, 60)}`)
  const units = BigInt(whole) * UNIT + BigInt((fraction ?? '').padEnd(6, '0'))
  return sign === '-' ? -units : units
}

/** Returns base units of an amount that may be unknown. */
export const unitsOrNull = (text: string | null | undefined): bigint | null =>
  text === null || text === undefined ? null : unitsOf(text)

/** Greatest amount that a person may type, in base units: that of the contracts. */
const TYPED_MAX = (1n << 128n) - 1n

/**
 * Returns what a person typed, in base units; null unless it is a plain amount of at most six decimals. Groups of digits
 * may be separated by spaces, or by commas at each third digit, so that "1,5" is not read as fifteen.
 */
export function typedUnits(text: string): bigint | null {
  const compact = text.replace(/\s/g, '')
  const plain = /^\d{1,3}(?:,\d{3})+(?:\.\d*)?$/.test(compact) ? compact.replaceAll(',', '') : compact
  if (!/^(?:\d{1,39}(?:\.\d{0,6})?|\.\d{1,6})$/.test(plain)) return null
  const [whole = '', fraction = ''] = plain.split('.')
  const units = BigInt(whole === '' ? '0' : whole) * UNIT + BigInt(fraction.padEnd(6, '0'))
  return units <= TYPED_MAX ? units : null
}

/** Returns whole digits in groups of three, with commas, which spreadsheets read. */
export const grouped = (digits: string): string => digits.replace(/\B(?=(?:\d{3})+$)/g, ',')

/** Groups the digits before the point. */
export function wholeGrouped(text: string): string {
  const [whole = '', fraction] = text.split('.')
  return `${grouped(whole)}${fraction === undefined ? '' : `.${fraction}`}`
}

/** How an amount is shown. */
interface Showing {
  /** Shows a change: a plus stands before a gain. */
  readonly change?: boolean
}

const CENT = 10_000n
const upToCents = (units: bigint): bigint => ((units + CENT - 1n) / CENT) * CENT

/**
 * Returns an amount to read: two decimals, none for a whole amount; null is unknown. It is cut towards the smaller figure, so
 * that no gain is shown greater and no loss smaller than it is.
 */
export function shownAmount(units: bigint | null, { change = false }: Showing = {}): string {
  if (units === null) return UNKNOWN
  const exact = units < 0n ? -units : units
  // An amount below a cent is not nothing: it is shown in full.
  if (exact > 0n && exact < CENT) return signOf(units, change) + exactAmount(exact)
  const size = units < 0n && exact % UNIT !== 0n ? upToCents(exact) : exact
  const whole = grouped(String(size / UNIT))
  const cents = String((size % UNIT) / CENT).padStart(2, '0')
  return `${signOf(units, change)}${whole}${exact % UNIT === 0n ? '' : `.${cents}`}`
}

/** Returns a price to read, rounded to whole cents against who trades: a buyer's up, a seller's down. */
export function shownPrice(units: bigint, buys: boolean): string {
  return shownAmount(buys && units >= CENT ? upToCents(units) : units)
}

/** Returns a size of an asset to read, in integers of 0.000001, with all its decimals; null is unknown. */
export const shownUnits = (units: bigint | null): string =>
  units === null ? UNKNOWN : wholeGrouped(exactAmount(units))

const signOf = (units: bigint, change: boolean): string => (units < 0n ? MINUS : change && units > 0n ? '+' : '')

/** Returns an amount with all its decimals and without groups, as it is copied and as the API takes it. */
export function exactAmount(units: bigint): string {
  const size = units < 0n ? -units : units
  const fraction = String(size % UNIT)
    .padStart(6, '0')
    .replace(/0+$/, '')
  return `${units < 0n ? '-' : ''}${size / UNIT}${fraction === '' ? '' : `.${fraction}`}`
}

/** Returns a text of the service in which no line break parts a figure from its unit. */
export const unbroken = (text: string): string => text.replace(/(\d) (?=%|h\b|bps\b)/g, '$1\u00a0')

/** Returns basis points as a percentage, by integers: 1234 is "12.34%"; null is unknown. */
export function shownPercent(bps: bigint | number | null, { change = false }: Showing = {}): string {
  if (bps === null) return UNKNOWN
  const units = BigInt(bps)
  const size = units < 0n ? -units : units
  const fraction = String(size % 100n)
    .padStart(2, '0')
    .replace(/0+$/, '')
  return `${signOf(units, change)}${size / 100n}${fraction === '' ? '' : `.${fraction}`}%`
}

/** Returns a change as basis points of a whole, cut for a gain and rounded away from zero for a loss; null of nothing. */
export function changeBps(change: bigint, whole: bigint): bigint | null {
  if (whole <= 0n) return null
  const scaled = change * 10_000n
  return scaled < 0n ? (scaled - whole + 1n) / whole : scaled / whole
}

/** Returns which part of a whole an amount is, from 0 to 1, to draw it. */
export function shareOf(part: bigint, whole: bigint): number {
  if (whole <= 0n || part <= 0n) return 0
  return part >= whole ? 1 : Number((part * 1_000_000n) / whole) / 1_000_000
}

/** Returns wei as ether to read: up to six decimals, cut; null is unknown. */
export function shownEther(wei: bigint | null): string {
  if (wei === null) return UNKNOWN
  const fraction = String(wei % 10n ** 18n)
    .padStart(18, '0')
    .slice(0, 6)
    .replace(/0+$/, '')
  return `${grouped(String(wei / 10n ** 18n))}${fraction === '' ? '' : `.${fraction}`}`
}
