import { ENGLISH, ENGLISH_COUNTED, ENGLISH_UNITS } from './note-lexicon-english.ts'
import { JOINS, KOREAN, KOREAN_MINUTES, KOREAN_UNITS, PARTICLES } from './note-lexicon-korean.ts'
import { digitNumber, englishNumber, koreanNumber, type FoundNumber } from './note-numbers.ts'
import { MARKET_SIGN, MINUTES, type Rule, type Token, type Unit } from './note-tokens.ts'

const DATE = /(?<!\d)(?:(\d{4})-(\d{2})-(\d{2})|(\d{4})년 ?(\d{1,2})월 ?(\d{1,2})일)(?!\d)/y
const DIGITS = /\d(?:[\d.,'’_]*\d)?/y
/** Characters that must not touch a number: parts of another number, operators, a time of day. */
const TOUCHES_BEFORE = /[\w.,'’^*#~+=−–—×±&@\\-]$/
const TOUCHES_AFTER =
  /^(?:[\^*×_~=@&\\]|[ ]?[-–—~∼〜/]\s?\d|:\d|[ \u00a0\u202f]?(?:to|or|through)[ ]\$?\d|[ \u00a0\u202f'’]\d)/
const OWN_UNIT =
  /[ \u00a0]?(?:(%p|%|퍼센트|프로(?!모)|percent(?:age)?(?: points?)?|per cent|pct)|(bps|bp|basis points)|(usdc|usd|us dollars?|dollars?|bucks|\$|달러|유에스디씨))(?![a-z])/y
const OTHER_UNIT =
  /[ \u00a0]?(?:eur|euros?|€|krw|won|₩|gbp|pounds?|£|yen|jpy|¥|usdt|dai|btc|bitcoins?|eth|ether|sol|coins?|tokens?|shares?|lots?|contracts?|cents?|¢|원|유로|엔|위안|비트코인|이더|테더|코인|개(?!월)|주식|센트|배)(?![a-z])/y
const PREFIX = /(?:(us\$|\$|usdc?|달러)|([€£¥₩]|eur|krw|won|gbp|usdt|btc|eth))[ \u00a0:=]?$/
const BREAK = /[;,、，。·•|()[\]{}\n\r!?…]|\.(?!\d)/y
const SPACE = /[\s:=$%"'“”‘’*_#&+@\\`~^<>/-]/y

const isFiller = ([, meaning]: Rule): boolean => meaning.kind === 'filler'
const [FILLERS_ENGLISH, FILLERS_KOREAN] = [ENGLISH.filter(isFiller), KOREAN.filter(isFiller)]
const isLimit = (rule: Rule): boolean => !isFiller(rule)
const [LIMITS_ENGLISH, LIMITS_KOREAN] = [ENGLISH.filter(isLimit), KOREAN.filter(isLimit)]

const at = (pattern: RegExp, text: string, place: number): RegExpExecArray | null => {
  pattern.lastIndex = place
  return pattern.exec(text)
}

/** Splits a folded note into tokens. Every letter and digit is in exactly one token, so that no word is skipped. */
export function tokenise(text: string): Token[] {
  const tokens: Token[] = []
  let place = 0
  while (place < text.length) {
    const token = tokenAt(text, place, tokens.at(-1))
    if (token !== null) tokens.push(token)
    place = token === null ? place + 1 : token.end
  }
  return tokens
}

function tokenAt(text: string, start: number, previous: Token | undefined): Token | null {
  const korean = /[가-힣]/.test(text[start] ?? '')
  const inWord = korean && start > 0 && /[가-힣a-z0-9%$¤]/.test(text[start - 1] ?? '')
  if (text[start] === MARKET_SIGN) return { kind: 'market', start, end: afterMarket(text, start) }
  return (
    dateAt(text, start) ??
    (inWord ? endingAt(text, start, previous) : null) ??
    // Numbers come before fillers, because some fillers are the beginning of a number.
    phraseAt(text, start, korean ? LIMITS_KOREAN : LIMITS_ENGLISH) ??
    (/[0-9]/.test(text[start] ?? '') ? phraseAt(text, start, LIMITS_KOREAN) : null) ??
    numberAt(text, start, inWord && previous?.kind !== 'cue') ??
    phraseAt(text, start, korean ? FILLERS_KOREAN : FILLERS_ENGLISH) ??
    signAt(text, start) ??
    restAt(text, start)
  )
}

function dateAt(text: string, start: number): Token | null {
  const found = at(DATE, text, start)
  if (found === null) return null
  const [year = '', month = '', day = ''] = found[1] === undefined ? found.slice(4) : found.slice(1)
  const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const date = new Date(`${iso}T00:00:00.000Z`)
  const end = start + found[0].length
  // Date reads 30 February as 2 March.
  if (Number.isNaN(date.getTime()) || !date.toISOString().startsWith(iso))
    return { kind: 'unreadable', why: 'is not a calendar date', start, end }
  return { kind: 'end', minutes: null, day: iso, start, end }
}

/** Returns the ending of a word in Hangul: an ending that joins clauses, or a particle. */
function endingAt(text: string, start: number, previous: Token | undefined): Token | null {
  if (previous?.end !== start || previous.kind === 'unknown') return null
  const joins = at(JOINS, text, start)
  if (joins !== null) return { kind: 'break', start, end: start + joins[0].length }
  const bound = phraseAt(text, start, KOREAN)
  if (bound !== null) return bound
  const particle = at(PARTICLES, text, start)
  return particle === null ? null : { kind: 'filler', start, end: start + particle[0].length }
}

function phraseAt(text: string, start: number, rules: readonly Rule[]): Token | null {
  for (const [pattern, meaning] of rules) {
    const found = at(pattern, text, start)
    if (found === null || found[0] === '') continue
    const end = start + found[0].length
    return meaning.kind === 'end' ? { ...meaning, day: null, start, end } : { ...meaning, start, end }
  }
  return null
}

function numberAt(text: string, start: number, inWord: boolean): Token | null {
  const digits = at(DIGITS, text, start)
  const inDigits = digits === null ? null : { value: digitNumber(digits[0]), end: start + digits[0].length }
  const found = koreanNumber(text, start) ?? inDigits ?? englishNumber(text, start)
  if (found === null) return null
  if (inWord) return { kind: 'unreadable', why: 'touches a word', start, end: found.end }
  return measured(text, start, scaled(text, found))
}

/** Applies a scale after a number, as in "1.5k" and "2 thousand". */
function scaled(text: string, found: FoundNumber): FoundNumber {
  const scale = /^(?:k|[ -]?(?:thousand|grand)|[ -]?(hundred))(?![a-z0-9])/.exec(text.slice(found.end, found.end + 12))
  if (scale === null) return found
  const times = scale[1] === undefined ? 1_000n : 100n
  const words = englishNumber(text, found.end + scale[0].length + 1)
  const value = found.value === null || words !== null ? null : found.value * times
  return { value, end: words?.end ?? found.end + scale[0].length }
}

function measured(text: string, start: number, { value, end }: FoundNumber): Token {
  const before = text.slice(Math.max(0, start - 6), start)
  const after = text.slice(end, end + 16)
  const unreadable = (why: string, until = end): Token => ({ kind: 'unreadable', why, start, end: until })
  const prefix = PREFIX.exec(before)
  if (
    TOUCHES_AFTER.test(after) ||
    (/(?:between|from) \$?$/.test(text.slice(Math.max(0, start - 9), start)) &&
      /^[ a-z$]*\b(?:and|to) \$?\d/.test(after))
  )
    return unreadable('is a range, a fraction or contains spaces', afterRange(text, end))
  if (prefix === null && TOUCHES_BEFORE.test(before))
    return unreadable('touches another character', afterWord(text, end))
  if (value === null) return unreadable('is not written like 1500, 1,500 or 1500.50', afterWord(text, end))
  const counted = at(ENGLISH_COUNTED, text, end)
  if (counted !== null) return unreadable('is not an amount of USDC', end + counted[0].length)
  const time = at(ENGLISH_UNITS, text, end) ?? at(KOREAN_UNITS, text, end)
  if (time !== null && prefix === null) return durationOf(value, time, start, text)
  const other = at(OTHER_UNIT, text, end)
  if (other !== null || prefix?.[2] !== undefined) return unreadable('is not in USDC', end + (other?.[0].length ?? 0))
  const own = at(OWN_UNIT, text, end)
  const unit: Unit =
    own?.[1] !== undefined
      ? 'percent'
      : own?.[2] !== undefined
        ? 'bps'
        : own?.[3] !== undefined || prefix !== null
          ? 'usdc'
          : null
  const until = end + (own?.[0].length ?? 0)
  if (own?.[0].includes('point') === true || own?.[1] === '%p')
    return unreadable('is in percentage points, not a percentage', until)
  if (prefix !== null && unit !== 'usdc') return unreadable('has two units', until)
  if (/^[a-z0-9_]/.test(text.slice(until, until + 1))) return unreadable('touches a word', afterWord(text, until))
  return { kind: 'amount', value, unit, start, end: until }
}

function durationOf(value: bigint, time: RegExpExecArray, start: number, text: string): Token {
  const end = time.index + time[0].length
  const word = time[1] ?? ''
  const whole = value % 1_000_000n === 0n && value > 0n && value < 10_000_000_000n
  // "30일까지" can be a day of a month or a duration, and "81 day" may lack an "a".
  const dayOfMonth = word === '일' && /^ ?(?:까지|부터)/.test(text.slice(end))
  const rate = value !== 1_000_000n && / [a-z]+$/.test(time[0]) && !time[0].endsWith('s')
  if (!whole || dayOfMonth || rate) return { kind: 'unreadable', why: 'is not a duration in whole units', start, end }
  const minutes = word in MINUTES ? MINUTES[word as keyof typeof MINUTES] : (KOREAN_MINUTES[word] ?? 0)
  return { kind: 'end', minutes: Number(value / 1_000_000n) * minutes, day: null, start, end }
}

/** Returns a break; null if no break begins here. */
function signAt(text: string, start: number): Token | null {
  return at(BREAK, text, start) === null ? null : { kind: 'break', start, end: start + 1 }
}

/** Returns a word that no rule matches; null for a space or separator. */
function restAt(text: string, start: number): Token | null {
  if (at(SPACE, text, start) !== null) return null
  const end = afterWord(text, start + 1)
  const kind = /[\p{L}\p{N}]/u.test(text.slice(start, end)) ? 'unknown' : 'filler'
  if (/\d/.test(text.slice(start, end))) return { kind: 'unreadable', why: 'mixes letters and digits', start, end }
  return { kind, start, end }
}

const afterMarket = (text: string, from: number): number => {
  let end = from
  while (text[end] === MARKET_SIGN) end++
  return end
}
const afterWord = (text: string, from: number): number =>
  from + (/^[\p{L}\p{N}_'’]*/u.exec(text.slice(from))?.[0].length ?? 0)
const afterRange = (text: string, from: number): number =>
  from + (/^[\s\d.,'’/:–—~∼〜$-]*(?:(?:to|or|through) \$?[\d.,]+)?/.exec(text.slice(from))?.[0].trimEnd().length ?? 0)
