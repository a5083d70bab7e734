import { grouped, shownAmount, UNKNOWN, unitsOf } from '../../lib/money.ts'

/** Decimals of an amount of an asset that are shown; the whole figure stands in the title. */
const SHOWN = 6

/**
 * Returns an amount of any asset to read: USDC as everywhere, others with at most six decimals, cut, digits in groups. An amount
 * below that is shown as such.
 */
export function assetText(amount: string, asset: string): string {
  const [, sign = '', whole, fraction = ''] = /^(-?)(\d{1,60})(?:\.(\d{1,40}))?$/.exec(amount) ?? []
  if (whole === undefined) return UNKNOWN
  const cut = fraction.slice(0, SHOWN).replace(/0+$/, '')
  const isTiny = whole === '0' && cut === '' && /[1-9]/.test(fraction)
  if (asset === 'USDC' && !isTiny && whole.length <= 40)
    return shownAmount(unitsOf(`${sign}${whole}.${fraction.slice(0, SHOWN).padEnd(SHOWN, '0')}`))
  const minus = sign === '' ? '' : '−'
  if (isTiny) return `${minus}< 0.000001`
  return `${minus}${grouped(whole)}${cut === '' ? '' : `.${cut}`}`
}
