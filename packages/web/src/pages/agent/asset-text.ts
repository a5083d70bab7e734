import { UNKNOWN } from '../../lib/money.ts'

/** Decimals of an amount of an asset that are shown; the whole figure stands in the title. */
const SHOWN = 6

/** Returns an amount of any asset to read: at most six decimals, cut, digits in groups. An amount below that is shown as such. */
export function assetText(amount: string, language: 'en' | 'ko'): string {
  const [, sign = '', whole, fraction = ''] = /^(-?)(\d{1,60})(?:\.(\d{1,40}))?$/.exec(amount) ?? []
  if (whole === undefined) return UNKNOWN
  const groups = whole.replace(/\B(?=(?:\d{3})+$)/g, language === 'ko' ? ',' : '\u202f')
  const cut = fraction.slice(0, SHOWN).replace(/0+$/, '')
  const minus = sign === '' ? '' : '−'
  if (cut === '' && whole === '0' && /[1-9]/.test(fraction)) return `${minus}< 0.000001`
  return `${minus}${groups}${cut === '' ? '' : `.${cut}`}`
}
