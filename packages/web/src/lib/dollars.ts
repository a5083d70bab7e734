import { UNKNOWN, wholeGrouped, type NumberLanguage } from './money.ts'

const MINUS = '−'

/** Powers of ten at which a dollar figure gets another word, greatest first: thousands in English, ten thousands in Korean. */
const WORDS = {
  en: [
    [1e12, 'T'],
    [1e9, 'B'],
    [1e6, 'M'],
    [1e3, 'k'],
  ],
  ko: [
    [1e12, '조'],
    [1e8, '억'],
    [1e4, '만'],
  ],
} as const satisfies Record<NumberLanguage, readonly (readonly [number, string])[]>

/** Returns the size of a number with at most three digits that count: a gain is cut, a loss is rounded away from zero. */
function threeDigits(value: number, isLoss: boolean): string {
  const decimals = value >= 100 ? 0 : value >= 10 ? 1 : 2
  const factor = 10 ** decimals
  // A number such as 1.15 is stored a little below itself; the cut must not take its last digit.
  const round = isLoss ? Math.ceil : Math.floor
  return String(round(value * factor * (isLoss ? 1 - Number.EPSILON : 1 + Number.EPSILON)) / factor)
}

/** Returns dollars in short: $5.79B, $57.9억; null is unknown. */
export function shownDollars(value: number | null, language: NumberLanguage = 'en'): string {
  if (value === null) return UNKNOWN
  const size = Math.abs(value)
  const sign = value < 0 ? MINUS : ''
  const [unit, word] = WORDS[language].find(([least]) => size >= least) ?? [1, '']
  return `${sign}$${wholeGrouped(threeDigits(size / unit, value < 0))}${word}`
}
