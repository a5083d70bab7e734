import { shownDollars } from '../../lib/dollars.ts'
import { grouped, UNKNOWN, type NumberLanguage } from '../../lib/money.ts'

const PLAIN = /^(-?)(\d{1,40})(?:\.(\d{1,40}))?$/

/** How a figure is shown. */
interface Showing {
  /** Decimals that are shown at most; the rest is cut. */
  readonly digits?: number
  /** Shows a plus before a gain. */
  readonly change?: boolean
}

/** Returns a decimal figure to read, cut and never rounded, digits in groups; a text of another form is unknown. */
export function figureText(text: string | null, { digits = 8, change = false }: Showing = {}): string {
  const [, sign = '', whole, fraction = ''] = PLAIN.exec(text ?? '') ?? []
  if (whole === undefined) return UNKNOWN
  const groups = grouped(whole)
  const cut = fraction.slice(0, digits)
  const isZero = /^0*$/.test(whole + cut)
  const mark = isZero ? '' : sign === '-' ? '−' : change ? '+' : ''
  const shown = digits <= 2 ? cut : cut.replace(/0+$/, '')
  return `${mark}${groups}${shown === '' || /^0*$/.test(shown) ? '' : `.${shown}`}`
}

/** Returns a share such as "0.0000125" as percent text with four decimals: "0.0012". */
export function percentText(share: string, showing: Showing = {}): string {
  const [, sign = '', whole, fraction = ''] = PLAIN.exec(share) ?? []
  if (whole === undefined) return UNKNOWN
  const moved = fraction.padEnd(2, '0')
  const percent = `${sign}${(whole + moved.slice(0, 2)).replace(/^0+(?=\d)/, '')}.${moved.slice(2).padEnd(1, '0')}`
  return `${figureText(percent, { digits: 4, ...showing })}%`
}

/** Returns a decimal figure of dollars in short: $18.4M, $1,840만. The whole figure belongs in the title. */
export const dollarsText = (text: string | null, language: NumberLanguage): string =>
  shownDollars(PLAIN.test(text ?? '') ? Number(text) : null, language)
