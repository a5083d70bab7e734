import fc from 'fast-check'
import { expect, test } from 'vitest'
import { draftProblems } from './draft-rules.ts'
import { draftFromNote, type NamedMarket } from './purpose-note.ts'

const now = new Date('2026-11-21T10:00:00.000Z')
const markets: NamedMarket[] = [{ market_id: 'testvenue', title: 'Test venue', status: 'paper' }]
const USDC = 1_000_000n

/** Limits that an owner wants, in whole USDC, percent and days. */
interface Wanted {
  readonly budget: number
  readonly perTx?: number | undefined
  readonly daily?: number | undefined
  readonly loss?: number | undefined
  readonly approval?: number | undefined
  readonly fee?: number | undefined
  readonly days?: number | undefined
}
const maybe = (min: number, max: number) => fc.option(fc.integer({ min, max }), { nil: undefined })
const wishes: fc.Arbitrary<Wanted> = fc.record({
  budget: fc.integer({ min: 400, max: 99_999 }),
  perTx: maybe(1, 80),
  daily: maybe(81, 300),
  loss: maybe(1, 350),
  approval: maybe(1, 90),
  fee: maybe(1, 30),
  days: maybe(2, 300),
})

type Say = (figure: string) => string
type Phrases = Readonly<Record<keyof Wanted, readonly Say[]>>
const ENGLISH: Phrases = {
  budget: [(n) => `budget ${n} USDC`, (n) => `$${n} in total`, (n) => `my budget is ${n}`, (n) => `use ${n} USDC`],
  perTx: [(n) => `${n} per trade`, (n) => `at most ${n} USDC per transaction`, (n) => `per order no more than ${n}`],
  daily: [(n) => `${n} a day`, (n) => `daily cap ${n} USDC`, (n) => `not more than ${n} dollars per day`],
  loss: [(n) => `lose at most ${n}`, (n) => `max drawdown ${n} USDC`, (n) => `stop if I am down ${n}`],
  approval: [(n) => `ask me above ${n}`, (n) => `anything over ${n} USDC needs my approval`],
  fee: [(n) => `fee ${n}%`, (n) => `${n}% performance fee`],
  days: [(n) => `for ${n} days`, (n) => `a ${n}-day run`],
}
const KOREAN: Phrases = {
  budget: [(n) => `예산 ${n}달러`, (n) => `총 ${n} USDC`, (n) => `예산은 ${n} 달러`],
  perTx: [(n) => `건당 ${n}달러`, (n) => `한 번에 ${n} 달러까지`, (n) => `거래당 최대 ${n} USDC`],
  daily: [(n) => `하루 ${n}달러`, (n) => `하루 한도 ${n} 달러`, (n) => `하루에 ${n}달러 이하`],
  loss: [(n) => `최대 손실 ${n}달러`, (n) => `손실 ${n}달러까지`],
  approval: [(n) => `${n}달러 넘으면 물어봐`, (n) => `${n} 달러 초과는 승인`],
  fee: [(n) => `수수료 ${n}%`, (n) => `수수료는 ${n}퍼센트`],
  days: [(n) => `${n}일 동안`, (n) => `기간 ${n}일`],
}

const SMALL =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
function inEnglish(n: number): string {
  if (n >= 1000) return `${inEnglish(Math.floor(n / 1000))} thousand${n % 1000 === 0 ? '' : ` ${inEnglish(n % 1000)}`}`
  if (n >= 100) return `${SMALL[Math.floor(n / 100)]} hundred${n % 100 === 0 ? '' : ` and ${inEnglish(n % 100)}`}`
  if (n < 20) return SMALL[n] ?? ''
  return `${TENS[Math.floor(n / 10) - 2]}${n % 10 === 0 ? '' : `-${SMALL[n % 10]}`}`
}
function inKorean(n: number): string {
  if (n >= 10_000)
    return `${n < 20_000 ? '' : inKorean(Math.floor(n / 10_000))}만${n % 10_000 === 0 ? '' : inKorean(n % 10_000)}`
  const scales = [
    [1000, '천'],
    [100, '백'],
    [10, '십'],
    [1, ''],
  ] as const
  return scales
    .map(([scale, name]) => {
      const digit = Math.floor(n / scale) % 10
      return digit === 0 ? '' : `${digit === 1 && scale > 1 ? '' : ' 일이삼사오육칠팔구'.charAt(digit)}${name}`
    })
    .join('')
}
const grouped = (n: number) => n.toLocaleString('en-US')

/** A language with its phrases, its forms of numbers and its separators. */
const languages = [
  { phrases: ENGLISH, figures: [String, grouped, inEnglish], separators: [', ', '; ', '. ', ', and ', '\n'] },
  { phrases: KOREAN, figures: [String, grouped, inKorean], separators: [', ', '; ', '. ', ' 그리고 ', '\n'] },
] as const

/** Returns the parts of a note that states the wanted limits. */
const sentences = fc
  .record({
    wanted: wishes,
    language: fc.constantFrom(...languages),
    picks: fc.array(fc.nat(), { minLength: 24, maxLength: 24 }),
  })
  .map(({ wanted, language, picks }) => {
    let next = 0
    const pick = <T>(list: readonly T[]): T => list[(picks[next++] ?? 0) % list.length] as T
    const said = (Object.keys(wanted) as (keyof Wanted)[]).filter((field) => wanted[field] !== undefined)
    const parts = said.map((field) => {
      // Percentages and durations are written in digits.
      const write = field === 'fee' || field === 'days' ? String : pick<(n: number) => string>(language.figures)
      return pick(language.phrases[field])(write(wanted[field] ?? 0))
    })
    const turn = (picks[23] ?? 0) % parts.length
    return {
      wanted,
      parts: [...parts.slice(turn), ...parts.slice(0, turn)],
      separator: pick<string>(language.separators),
    }
  })

const rules = { now, markets, hlLegEnabled: false, legFunding: false, legMin: 6_000_000n }
const read = (note: string) => draftFromNote(note, markets, rules)
/** Returns everything that prevents a draft from being stored. */
const problemsOf = (draft: ReturnType<typeof read>) => [...draft.problems, ...draftProblems(draft.limits, rules)]
const units = (whole: number) => BigInt(whole) * USDC

/** Returns each wanted limit that the draft exceeds. */
function looser(
  { limits }: ReturnType<typeof read>,
  { budget, perTx, daily, loss, approval, fee, days }: Wanted,
): string[] {
  const line = loss === undefined ? 0n : units(budget) - units(loss)
  const found: string[] = []
  if (limits.budget > units(budget)) found.push('budget')
  if (perTx !== undefined && limits.perTxCap > units(perTx)) found.push('perTx')
  if (daily !== undefined && limits.dailyCap > units(daily)) found.push('daily')
  // With a smaller budget, the loss that the stop line allows counts.
  if (limits.stopLine < line && limits.budget - limits.stopLine > units(loss ?? 0)) found.push('loss')
  if (approval !== undefined && (limits.approvalAbove === null || limits.approvalAbove > units(approval)))
    if (limits.approvalAbove === null || limits.perTxCap > units(approval)) found.push('approval')
  if (fee !== undefined && limits.feeBps > fee * 100) found.push('fee')
  if (days !== undefined && limits.endsAt.getTime() > now.getTime() + days * 86_400_000) found.push('days')
  return found
}

test('limits in separate sentences are read exactly, in English and Korean, in digits and words', () => {
  fc.assert(
    fc.property(sentences, ({ wanted, parts, separator }) => {
      const note = parts.join(separator)
      const draft = read(note)
      expect(draft.problems, note).toEqual([])
      const { limits } = draft
      expect(limits.budget, note).toBe(units(wanted.budget))
      if (wanted.perTx !== undefined) expect(limits.perTxCap, note).toBe(units(wanted.perTx))
      if (wanted.daily !== undefined) expect(limits.dailyCap, note).toBe(units(wanted.daily))
      if (wanted.loss !== undefined) expect(limits.stopLine, note).toBe(units(wanted.budget) - units(wanted.loss))
      if (wanted.approval !== undefined) expect(limits.approvalAbove, note).toBe(units(wanted.approval))
      if (wanted.fee !== undefined) expect(limits.feeBps, note).toBe(wanted.fee * 100)
      if (wanted.days !== undefined)
        expect(limits.endsAt.getTime(), note).toBe(now.getTime() + wanted.days * 86_400_000)
    }),
    { numRuns: 1_500, seed: 1 },
  )
})

test('limits without separators are read exactly or reported, never loosened', () => {
  fc.assert(
    fc.property(sentences, ({ wanted, parts }) => {
      const note = parts.join(' ')
      const draft = read(note)
      if (problemsOf(draft).length === 0) expect(looser(draft, wanted), note).toEqual([])
    }),
    { numRuns: 1_500, seed: 2 },
  )
})

const INTRUDERS = [
  'not',
  'no',
  'never',
  'or',
  'and',
  'but',
  'more',
  'than',
  'above',
  'under',
  'per',
  'a',
  'each',
  'day',
  'trade',
  'hour',
  'week',
  'half',
  'double',
  'twice',
  '3x',
  'about',
  'at',
  'least',
  'budget',
  'limit',
  'stop',
  'ask',
  'fee',
  'maybe',
  'USDC',
  '$',
  'EUR',
  'unlimited',
  'until',
  'BTC',
  '-',
  '~',
  '/',
  ',',
  '.',
  ':',
  '(',
  '\u200b',
  '\u0430',
  'x',
  'except',
  'for',
  'with',
  '없이',
  '말고',
  '이상',
  '미만',
  '약',
  '두 배',
  '원',
  '매주',
  '하루',
  '건당',
  '한 번만',
  '무제한',
  '정도',
  '씩',
  '까지',
  '손실',
]

test('a note with removed, added or moved words is reported, or is no looser than before', () => {
  const edit = fc.record({
    kind: fc.constantFrom('drop', 'add', 'swap', 'glue'),
    at: fc.nat(),
    word: fc.constantFrom(...INTRUDERS),
  })
  fc.assert(
    fc.property(sentences, fc.array(edit, { minLength: 1, maxLength: 3 }), ({ wanted, parts, separator }, edits) => {
      const words = parts
        .join(separator)
        .split(/( )/)
        .filter((word) => word !== ' ')
      for (const { kind, at, word } of edits) {
        const place = at % words.length
        const here = words[place] ?? ''
        // Without its number, a limit is not stated.
        const isFigure =
          /\d|[십백천만]|달러/.test(here) ||
          here.split('-').every((one) => [...SMALL, ...TENS].includes(one)) ||
          /hundred|thousand/.test(here)
        if (kind === 'drop' && !isFigure) words.splice(place, 1)
        if (kind === 'add') words.splice(place, 0, word)
        if (kind === 'glue') words.splice(place, 1, `${here}${word.replace(/^만$/, '')}`)
        if (kind === 'swap' && place > 0 && !isFigure) {
          const before = words[place - 1] ?? ''
          words.splice(place - 1, 2, here, before)
        }
      }
      const note = words.join(' ')
      const draft = read(note)
      if (problemsOf(draft).length === 0) expect(looser(draft, wanted), note).toEqual([])
    }),
    { numRuns: 4_000, seed: 3 },
  )
})
