/** A number in a text, in millionths, and the position after it. The value is null if it cannot be read with certainty. */
export interface FoundNumber {
  readonly value: bigint | null
  readonly end: number
}

const ONE = 1_000_000n
const UP_TO_TEN = 'zero one two three four five six seven eight nine ten'
const TEENS = 'eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
const SMALL: Readonly<Record<string, bigint>> = Object.fromEntries(
  `${UP_TO_TEN} ${TEENS}`.split(' ').map((word, at) => [word, BigInt(at)]),
)
const TENS: Readonly<Record<string, bigint>> = Object.fromEntries(
  'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ').map((word, at) => [word, BigInt(at * 10 + 20)]),
)
const WORD = [...Object.keys(SMALL), ...Object.keys(TENS), 'fourty', 'hundred', 'thousand', 'k', 'grand'].join('|')
const ENGLISH_RUN = new RegExp(
  String.raw`(?:(?:an?|${WORD})(?:[ -]+(?:(?<=(?:hundred|thousand|grand)[ -])and[ -]+)?(?:${WORD}))*)(?![a-z0-9])`,
  'y',
)

/** Returns the number in English words at a position; null if no number begins there. "a" begins a number only before a scale. */
export function englishNumber(text: string, at: number): FoundNumber | null {
  ENGLISH_RUN.lastIndex = at
  const found = ENGLISH_RUN.exec(text)?.[0]
  if (found === undefined) return null
  const words = found.split(/[ -]+/)
  const [first = ''] = words
  if (/^an?$/.test(first) && !/^(?:hundred|thousand|grand)$/.test(words[1] ?? '')) return null
  // A scale without a number states no quantity.
  if (/^(?:hundred|thousand|k|grand|and)$/.test(first)) return null
  return { value: valueOfWords(words), end: at + found.length }
}

function valueOfWords(words: readonly string[]): bigint | null {
  let [total, hundreds] = [0n, 0n]
  // What may follow: any word, units after tens, or only a scale.
  let room: 'any' | 'units' | 'none' = 'any'
  let thousands = false
  for (const [at, word] of words.entries()) {
    const small = /^an?$/.test(word) ? 1n : SMALL[word]
    if (small !== undefined) {
      const fits = room === 'any' || (room === 'units' && small > 0n && small < 10n)
      if (!fits || (small === 0n && words.length > 1)) return null
      hundreds += small
      room = 'none'
    } else if (TENS[word] !== undefined) {
      if (room !== 'any') return null
      hundreds += TENS[word]
      room = 'units'
    } else if (word === 'hundred') {
      if (hundreds <= 0n || hundreds >= 100n) return null
      hundreds *= 100n
      room = 'any'
    } else if (word === 'thousand' || word === 'grand' || word === 'k') {
      if (thousands || hundreds <= 0n) return null
      ;[total, hundreds, thousands, room] = [hundreds * 1_000n, 0n, true, 'any']
    } else if (word !== 'and' || !/^(?:hundred|thousand|grand)$/.test(words[at - 1] ?? '')) return null
  }
  return (total + hundreds) * ONE
}

const DIGITS: Readonly<Record<string, bigint>> = {
  일: 1n,
  이: 2n,
  삼: 3n,
  사: 4n,
  오: 5n,
  육: 6n,
  칠: 7n,
  팔: 8n,
  구: 9n,
}
const SCALES: Readonly<Record<string, bigint>> = { 십: 10n, 백: 100n, 천: 1_000n }
const MYRIADS: Readonly<Record<string, bigint>> = { 만: 10_000n, 억: 100_000_000n }
const KOREAN_RUN =
  /(?:\d[\d,.]*\d|\d|[일이삼사오육칠팔구십백천만억])+(?: (?:\d[\d,]*|[일이삼사오육칠팔구십백천])+(?<=[십백천일이삼사오육칠팔구]))?/y
const ONE_RUN = /(?:\d[\d,.]*\d|\d|[일이삼사오육칠팔구십백천만억])+/y
/** What may follow a number in Hangul, so that a word that only begins like a number is not read as one. */
const AFTER =
  /(?![가-힣])|(?= ?(?:달러|불|퍼센트|프로|원|유로|엔|주|개월|일|시간|년|분|달))|(?=(?:까지|이하|이내|미만|이상|초과|으로|로|을|를|은|는|이고|이며|이야|이다|입니다|이에요|씩|정도|쯤|이면|에서|넘|이|가|도|만)(?:[^가-힣]|$))/y

/** Returns the number in Korean at a position, in digits with scales or in syllables; null if no number begins there. */
export function koreanNumber(text: string, at: number): FoundNumber | null {
  for (const run of [KOREAN_RUN, ONE_RUN]) {
    run.lastIndex = at
    const found = run.exec(text)?.[0]
    if (found === undefined || !/[가-힣]/.test(found)) continue
    // "30일" is a duration.
    if (/\d[일이삼사오육칠팔구]/.test(found)) return null
    const end = at + found.length
    AFTER.lastIndex = end
    if (!AFTER.test(text)) continue
    // A single syllable is often a particle or a day.
    if (
      /^[일이삼사오육칠팔구]$/.test(found) &&
      !/^ ?(?:달러|usdc|usd|%|퍼센트|프로|원|주|개월|일(?![가-힣])|년)/.test(text.slice(end))
    )
      return null
    return { value: valueOfSyllables(found), end }
  }
  return null
}

function valueOfSyllables(found: string): bigint | null {
  let [total, section, current] = [0n, 0n, null as bigint | null]
  let [lastScale, lastMyriad] = [10_000n, 1_000_000_000_000n]
  for (const part of found.match(/\d[\d,.]*\d|\d|[가-힣]| /g) ?? []) {
    const digit = DIGITS[part]
    const scale = SCALES[part]
    const myriad = MYRIADS[part]
    if (part === ' ') {
      if (current !== null) return null
    } else if (scale !== undefined) {
      if (scale >= lastScale) return null
      ;[section, current, lastScale] = [section + (current ?? ONE) * scale, null, scale]
    } else if (myriad !== undefined) {
      if (myriad >= lastMyriad) return null
      const whole = section + (current ?? 0n)
      ;[total, section, current] = [total + (whole === 0n ? ONE : whole) * myriad, 0n, null]
      ;[lastScale, lastMyriad] = [10_000n, myriad]
    } else {
      if (current !== null) return null
      current = digit === undefined ? digitNumber(part) : digit * ONE
      if (current === null) return null
    }
  }
  return total + section + (current ?? 0n)
}

const PLAIN = /^\d{1,15}(?:\.\d{1,6})?$/
const GROUPED = /^\d{1,3}(?:,\d{3})+(?:\.\d{1,6})?$/
/** In many countries a dot before exactly three digits separates thousands. */
const AMBIGUOUS = /^[1-9]\d{0,2}\.\d{3}$/

/** Returns a number in digits, in millionths; null if its separators are ambiguous or wrong. */
export function digitNumber(text: string): bigint | null {
  if ((!PLAIN.test(text) && !GROUPED.test(text)) || text.length > 24 || AMBIGUOUS.test(text)) return null
  const [whole = '0', fraction = ''] = text.replaceAll(',', '').split('.')
  return BigInt(whole) * ONE + BigInt(fraction.padEnd(6, '0'))
}
