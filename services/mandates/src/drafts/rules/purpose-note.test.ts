import { usdcText } from '@svc/limits'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { draftProblems } from './draft-rules.ts'
import type { CorpusGroup } from './note-corpus.ts'
import { ENGLISH_CORPUS } from './note-corpus-english.ts'
import { KOREAN_CORPUS } from './note-corpus-korean.ts'
import { draftFromNote, type NamedMarket, type NoteDraft } from './purpose-note.ts'

const now = new Date('2026-11-21T10:00:00.000Z')
const markets: NamedMarket[] = [
  { market_id: 'testvenue', title: 'Test venue', status: 'paper' },
  { market_id: 'hl:BTC', title: 'BTC perpetual', status: 'planned' },
]
const rules = { now, markets, hlLegEnabled: false, legFunding: false, legMin: 6_000_000n }
const read = (note: string): NoteDraft => draftFromNote(note, markets, rules)
const problemsOf = (draft: NoteDraft) => [...draft.problems, ...draftProblems(draft.limits, rules)]
const text = (amount: bigint | null) => (amount === null ? 'none' : usdcText(amount))

/** Returns a draft in the short form of the corpus. */
function shortForm(draft: NoteDraft): string {
  const { limits } = draft
  const days = (limits.endsAt.getTime() - now.getTime()) / 86_400_000
  const midnight = limits.endsAt.toISOString().endsWith('T00:00:00.000Z')
  const forms: Readonly<Record<string, string>> = {
    budget_usdc: `b${text(limits.budget)}`,
    per_tx_cap_usdc: `t${text(limits.perTxCap)}`,
    daily_cap_usdc: `d${text(limits.dailyCap)}`,
    stop_line_usdc: `s${text(limits.stopLine)}`,
    approval_above_usdc: `a${text(limits.approvalAbove)}`,
    fee_bps: `f${limits.feeBps}`,
    ends_at: midnight ? `u${limits.endsAt.toISOString().slice(0, 10)}` : `e${days}`,
    markets: `m${limits.markets.join(',')}`,
    name: `n${draft.name}`,
  }
  const said = draft.fields.filter(({ source }) => source === 'note').map(({ field }) => forms[field] ?? field)
  return sorted(said, [...new Set(problemsOf(draft).map(({ code }) => code))])
}
const sorted = (said: readonly string[], codes: readonly string[]) =>
  `${said.toSorted().join(' ')} !${codes.toSorted().join(',')}`

/** Returns the expected reading with its parts in alphabetical order. */
function wanted(reading: string): string {
  const [fields = '', problems = ''] = reading.split('!')
  const [codes = '', ...more] = problems.split(' ')
  const said = fields.trim().split(/ (?=[btdsafeu]\d|anone|m[a-z]|n\p{Lu}|n[가-힣])/u)
  return sorted(
    [...said, ...more].filter((part) => part !== ''),
    codes.split(',').filter((code) => code !== ''),
  )
}

const notesOf = (groups: readonly CorpusGroup[]) =>
  groups.flatMap(({ idea, notes }) => notes.map(([note, reading]) => ({ idea, note, reading })))

describe('the corpus', () => {
  test('has at least 300 notes, 100 in Korean and 60 written to be misread', () => {
    const all = [...ENGLISH_CORPUS, ...KOREAN_CORPUS]
    expect(new Set(notesOf(all).map(({ note }) => note)).size).toBeGreaterThanOrEqual(300)
    expect(notesOf(KOREAN_CORPUS).length).toBeGreaterThanOrEqual(100)
    expect(notesOf(all.filter(({ adversarial }) => adversarial === true)).length).toBeGreaterThanOrEqual(60)
  })
  test.each(notesOf(ENGLISH_CORPUS))('is read as expected in English: $note', ({ note, reading }) => {
    expect(shortForm(read(note))).toBe(wanted(reading))
  })
  test.each(notesOf(KOREAN_CORPUS))('is read as expected in Korean: $note', ({ note, reading }) => {
    expect(shortForm(read(note))).toBe(wanted(reading))
  })
})

describe('the Standard preset', () => {
  test('sets every field that a note does not mention', () => {
    const draft = read('trade a little for me')
    expect(draft.limits).toMatchObject({
      budget: 500_000_000n,
      perTxCap: 50_000_000n,
      dailyCap: 150_000_000n,
      stopLine: 400_000_000n,
      approvalAbove: 25_000_000n,
      markets: ['testvenue'],
      endsAt: new Date('2026-12-21T10:00:00.000Z'),
      feeBps: 1000,
    })
    expect(draft.fields).toHaveLength(12)
    expect(draft.fields.every(({ source, words }) => source === 'preset' && words === null)).toBe(true)
  })
  test('applies its shares to the budget of the note', () => {
    const { limits } = read('Budget of 2,000 USDC')
    expect([limits.perTxCap, limits.dailyCap, limits.stopLine]).toEqual([200_000_000n, 600_000_000n, 1_600_000_000n])
  })
  test('does not exceed the only cap that a note sets', () => {
    expect(read('per trade 60').limits).toMatchObject({ perTxCap: 60_000_000n, dailyCap: 150_000_000n })
    expect(read('30 a day').limits).toMatchObject({ perTxCap: 30_000_000n, dailyCap: 30_000_000n })
  })
  test('is tighter after words of caution, which the draft quotes', () => {
    const draft = read('$1000, please be careful')
    const perTx = draft.fields.find(({ field }) => field === 'per_tx_cap_usdc')
    expect(perTx).toEqual({ field: 'per_tx_cap_usdc', source: 'note', words: 'careful' })
  })
  test('breaks no rule if a note has no amounts', () => {
    expect(problemsOf(read('grow my savings, safely'))).toEqual([])
  })
})

describe('the draft of a note', () => {
  test('quotes the words of each field that the note sets', () => {
    const { fields } = read('500 USDC for 2 weeks, 40 per trade')
    const words = (name: string) => fields.find(({ field }) => field === name)?.words
    expect(words('budget_usdc')).toBe('500 USDC')
    expect(words('per_tx_cap_usdc')).toBe('40 per trade')
    expect(words('ends_at')).toBe('2 weeks')
    expect(words('fee_bps')).toBeNull()
  })
  test('quotes the words that no field uses, with the fix', () => {
    const draft = read('budget 500 EUR, twenty per hour')
    expect(draft.unread).toEqual(expect.arrayContaining(['500 EUR', 'twenty']))
    for (const { pointer, detail } of draft.problems) {
      expect(pointer).toBe('/note')
      expect(detail).toMatch(/^".+" .+: (?:write|add) /)
    }
  })
  test('names the field and both values of a contradiction, and uses the tighter one', () => {
    const draft = read('budget 500; budget 300')
    expect(draft.limits.budget).toBe(300_000_000n)
    expect(draft.problems).toMatchObject([{ pointer: '/budget_usdc', code: 'contradiction' }])
    expect(draft.problems[0]?.detail).toContain('"budget 500" and "budget 300"')
  })
  test('is deterministic and quotes words of the note, for any note', () => {
    const parts = fc.constantFrom(
      '500',
      'USDC',
      '$',
      '10%',
      'per',
      'trade',
      'day',
      'stop',
      'at',
      'ask',
      'above',
      'careful',
      'until',
      'lose',
      '2027-01-01',
      'fee',
      '1,000',
      '2k',
      'weeks',
      '3',
      '예산',
      '건당',
      '달러',
      '오백',
      '\u202e',
      ',',
      '.',
      ';',
      '{}',
      '0',
    )
    const notes = fc.tuple(fc.array(parts, { maxLength: 30 }), fc.string({ maxLength: 50, unit: 'grapheme' }))
    fc.assert(
      fc.property(notes, ([list, tail]) => {
        const note = `${list.join(' ')} ${tail}`
        const draft = read(note)
        expect(read(note)).toEqual(draft)
        for (const { source, words } of draft.fields) {
          expect(words !== null).toBe(source === 'note')
          if (words !== null) expect(words.split(', ').every((part) => note.normalize('NFC').includes(part))).toBe(true)
        }
      }),
      { numRuns: 500, seed: 1 },
    )
  })
})

describe('a note that names a market of the leg', () => {
  const legRules = { ...rules, hlLegEnabled: true, legFunding: true }
  const live = markets.map((market) => ({ ...market, status: 'paper' as const }))
  const drafted = (note: string, legFunding = true) => draftFromNote(note, live, { now, legFunding })

  test('gets the whole budget as that of the leg if no contract is called, else half of it', () => {
    expect(drafted('200 usdc on hl:BTC').limits).toMatchObject({ hlLeg: true, legBudget: 200_000_000n })
    expect(drafted('200 usdc on hl:BTC and testvenue').limits).toMatchObject({ legBudget: 100_000_000n })
    const { limits } = drafted('200 usdc on hl:BTC, carefully')
    expect(draftProblems(limits, { ...legRules, markets: live })).toEqual([])
    expect(drafted('200 usdc').limits).toMatchObject({ hlLeg: false, legBudget: null, closeIfSilent: null })
  })

  test('gets no budget of the leg while leg funding is off', () => {
    expect(drafted('200 usdc on hl:BTC and testvenue', false).limits).toMatchObject({ hlLeg: true, legBudget: 0n })
  })

  test('has the preset as the source of the budget of the leg, also with words of caution', () => {
    const { fields } = drafted('200 usdc on hl:BTC and testvenue, carefully')
    expect(fields.find(({ field }) => field === 'leg_budget_usdc')).toEqual({
      field: 'leg_budget_usdc',
      source: 'preset',
      words: null,
    })
  })
})
