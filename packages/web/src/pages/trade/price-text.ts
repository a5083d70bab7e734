import { UNKNOWN } from '../../lib/money.ts'

const GROUP = { en: '\u202f', ko: ',' } as const
const PLAIN = /^(-?)(\d{1,40})(?:\.(\d{1,40}))?$/

/** How a figure is shown. */
interface Showing {
  readonly language: 'en' | 'ko'
  /** Decimals that are shown at most; the rest is cut. */
  readonly digits?: number
  /** Shows a plus before a gain. */
  readonly change?: boolean
}

/** Returns a decimal figure to read, cut and never rounded, digits in groups; a text of another form is unknown. */
export function figureText(text: string | null, { language, digits = 8, change = false }: Showing): string {
  const [, sign = '', whole, fraction = ''] = PLAIN.exec(text ?? '') ?? []
  if (whole === undefined) return UNKNOWN
  const groups = whole.replace(/\B(?=(?:\d{3})+$)/g, GROUP[language])
  const cut = fraction.slice(0, digits)
  const isZero = /^0*$/.test(whole + cut)
  const mark = isZero ? '' : sign === '-' ? '−' : change ? '+' : ''
  const shown = digits <= 2 ? cut : cut.replace(/0+$/, '')
  return `${mark}${groups}${shown === '' || /^0*$/.test(shown) ? '' : `.${shown}`}`
}

/** Returns a share such as "0.0000125" as percent text with four decimals: "0.0012". */
export function percentText(share: string, showing: Showing): string {
  const [, sign = '', whole, fraction = ''] = PLAIN.exec(share) ?? []
  if (whole === undefined) return UNKNOWN
  const moved = fraction.padEnd(2, '0')
  const percent = `${sign}${(whole + moved.slice(0, 2)).replace(/^0+(?=\d)/, '')}.${moved.slice(2).padEnd(1, '0')}`
  return `${figureText(percent, { digits: 4, ...showing })} %`
}

const UNITS = [
  ['B', 9],
  ['M', 6],
  ['k', 3],
] as const

/** Returns a large figure in thousands, millions or billions, cut: "18.4M". The whole figure belongs in the title. */
export function shortText(text: string | null): string {
  const [, sign = '', whole] = PLAIN.exec(text ?? '') ?? []
  if (whole === undefined) return UNKNOWN
  const unit = UNITS.find(([, zeros]) => whole.length > zeros)
  if (unit === undefined) return `${sign === '-' ? '−' : ''}${whole}`
  const [letter, zeros] = unit
  const head = whole.slice(0, -zeros)
  const tail = whole.slice(-zeros).slice(0, Math.max(0, 3 - head.length))
  return `${sign === '-' ? '−' : ''}${head}${/^0*$/.test(tail) ? '' : `.${tail}`}${letter}`
}
