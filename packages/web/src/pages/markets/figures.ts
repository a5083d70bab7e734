import { UNKNOWN, wholeGrouped } from '../../lib/money.ts'
import type { Answer } from '../../lib/routes-of-api.ts'

/** A row of the board. */
export type BoardRow = Answer<'GET /board'>['tokens'][number]

const MINUS = '−'
const SPACE = '\u00a0'

/** Returns a number as it was answered, with a real minus; null is unknown. */
export function shownNumber(value: number | null, digits = 2): string {
  if (value === null) return UNKNOWN
  const text = Math.abs(value).toLocaleString('en', { maximumFractionDigits: digits, useGrouping: false })
  return `${value < 0 && Number(text) !== 0 ? MINUS : ''}${text}`
}

/** Returns a change in percent with its sign and two decimals, so that changes in a column line up; null is unknown. */
export function shownChange(percent: number | null): string {
  if (percent === null) return UNKNOWN
  const size = Math.abs(percent).toFixed(2)
  const sign = Number(size) === 0 ? '' : percent < 0 ? MINUS : '+'
  return `${sign}${size}%`
}

/** Returns a price with five digits that count, in its quote currency; null is unknown. */
export function shownPrice(price: number | null): string {
  if (price === null) return UNKNOWN
  if (price === 0) return '0'
  const decimals = Math.min(14, Math.max(0, 4 - Math.floor(Math.log10(price))))
  const text = price.toFixed(decimals)
  return wholeGrouped(text.includes('.') ? text.replace(/\.?0+$/, '') : text)
}

/** Returns the mark of a lower bound before a figure that is one. */
export const bounded = (text: string, isLowerBound: boolean): string =>
  isLowerBound && text !== UNKNOWN ? `≥${SPACE}${text}` : text
