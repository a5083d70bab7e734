import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { usdcText } from '@svc/limits'
import { draftProblems } from './draft-rules.ts'
import { draftFromNote, type NamedMarket } from './purpose-note.ts'

const now = new Date('2026-11-21T10:00:00.000Z')
const markets: NamedMarket[] = [
  { market_id: 'testvenue', title: 'Test venue', status: 'paper' },
  { market_id: 'hl:BTC', title: 'BTC perpetual', status: 'planned' },
]
const read = (note: string) => {
  const { limits, fields, name } = draftFromNote(note, markets, now)
  const source = (field: string) => fields.find((one) => one.field === field)
  const text = (amount: bigint | null) => (amount === null ? null : usdcText(amount))
  return {
    name,
    budget: text(limits.budget),
    perTx: text(limits.perTxCap),
    daily: text(limits.dailyCap),
    stop: text(limits.stopLine),
    approval: text(limits.approvalAbove),
    markets: limits.markets,
    ends: limits.endsAt.toISOString(),
    fee: limits.feeBps,
    source,
    fields,
    limits,
  }
}

describe('the Standard preset', () => {
  test('fills everything that a note does not say, by its shares', () => {
    const draft = read('trade a little for me')
    expect(draft).toMatchObject({
      budget: '500',
      perTx: '50',
      daily: '150',
      stop: '400',
      approval: '25',
      markets: ['testvenue'],
      ends: '2026-12-21T10:00:00.000Z',
      fee: 1000,
    })
    expect(draft.fields).toHaveLength(9)
    expect(draft.fields.every(({ source, words }) => source === 'preset' && words === null)).toBe(true)
  })
  test('takes its shares of the budget that the note names', () => {
    expect(read('Budget of 2,000 USDC')).toMatchObject({ budget: '2000', perTx: '200', daily: '600', stop: '1600' })
  })
  test('is tighter after words of caution, which are quoted', () => {
    const draft = read('$1000, please be careful')
    expect(draft).toMatchObject({ budget: '1000', perTx: '50', daily: '150', stop: '900', approval: '12.5' })
    expect(draft.source('per_tx_cap_usdc')).toEqual({ field: 'per_tx_cap_usdc', source: 'note', words: 'careful' })
  })
})

describe('a note', () => {
  test.each([
    [
      '500 USDC for 2 weeks, at most 40 USDC per trade',
      { budget: '500', perTx: '40', ends: '2026-12-05T10:00:00.000Z' },
    ],
    ['Use $1.5k. 100 a day. stop at 1200', { budget: '1500', daily: '100', perTx: '100', stop: '1200' }],
    ['capital 800 usd, lose at most 10%', { budget: '800', stop: '720' }],
    ['300 USDC, 10% per trade, 20% per day', { budget: '300', perTx: '30', daily: '60' }],
    ['1000 USDC; ask me above 20', { budget: '1000', approval: '20' }],
    ['1000 USDC, ask me before every trade', { approval: '0' }],
    ['1000 USDC, never ask', { approval: null }],
    ['250 usdc, no stop line, 15% fee', { budget: '250', stop: '0', fee: 1500 }],
    ['250 usdc, fee 250 bps until 2027-01-31', { fee: 250, ends: '2027-01-31T00:00:00.000Z' }],
    ['50 USDC on the Test venue for a month', { markets: ['testvenue'], ends: '2026-12-21T10:00:00.000Z' }],
    ['300 usdc on hl:BTC', { markets: ['hl:BTC'] }],
    ['500 USDC, called "Weekend basis"', { name: 'Weekend basis', budget: '500' }],
    ['50 USDC max per trade, per day 100, 800 overall', { budget: '800', perTx: '50', daily: '100' }],
    ['Put 900 into testvenue, not more than 60 at a time', { budget: '900', perTx: '60', markets: ['testvenue'] }],
    ['low-risk, 800 USDC', { budget: '800', perTx: '40', stop: '720' }],
    ['a low risk mandate with 800 USDC', { budget: '800', perTx: '40', stop: '720' }],
    ["I don't want to risk it: 800 USDC", { budget: '800', stop: '640' }],
    ['1000 USDC without a stop line, zero fee', { budget: '1000', stop: '0', fee: 0 }],
    ['budget 1000, stop when I am down 100', { stop: '900' }],
    ['budget 1000, stop if it drops by 20%', { stop: '800' }],
    ['budget 1000, stop if it drops to 700', { stop: '700' }],
    ['budget 1000, stop loss at 800', { stop: '800' }],
    ['budget 1000, stop loss at 100', { stop: '900' }],
    ['budget 1000, stop loss at 20%', { stop: '800' }],
    ['budget 1000, anything over 25 needs my approval', { approval: '25' }],
    ['budget 1000, never ask me for trades under 25', { approval: '25' }],
    ['budget 1000, always ask', { approval: '0' }],
    ['budget 1000, ask me for everything', { approval: '0' }],
    ['up to 3 trades per day, 800 USDC', { budget: '800', daily: '240', ends: '2026-12-21T10:00:00.000Z' }],
    ['2 trades a day of 50 USDC, 800 total', { budget: '800', ends: '2026-12-21T10:00:00.000Z' }],
    ['800 USDC, buy every 6 hours for 2 weeks', { ends: '2026-12-05T10:00:00.000Z' }],
    ['800 USDC for half a year', { ends: '2026-12-21T10:00:00.000Z' }],
    ['800 USDC for 90 minutes', { ends: '2026-11-21T11:30:00.000Z' }],
    ['10^3 USDC', { budget: '500' }],
    [
      'Budget: 750 USDC; per trade: 60; per day: 150; stop line: 650; approval above: 40; fee: 5%',
      { budget: '750', perTx: '60', daily: '150', stop: '650', approval: '40', fee: 500 },
    ],
    ['1000 USDC, stop if down 10%', { stop: '900' }],
    ['a 10% stop loss with 1000 USDC', { budget: '1000', stop: '900' }],
    ['1000 USDC, exit when it drops below 700', { stop: '700' }],
    ['1000 USDC, 25 each time, 15% performance fee', { perTx: '25', fee: 1500 }],
    ['buy 10 USDC each hour, 800 USDC, two weeks', { budget: '800', ends: '2026-12-05T10:00:00.000Z' }],
    ['800 USDC for a 10-day run', { ends: '2026-12-01T10:00:00.000Z' }],
  ])('is read by its words: %s', (note, expected) => {
    expect(read(note)).toMatchObject(expected)
  })

  test.each([
    ['1e9 USDC', { budget: '500' }],
    ['500.1234567 USDC', { budget: '500' }],
    ['1 000 USDC', { budget: '500' }],
    ['1.000,50 USDC', { budget: '500' }],
    ['-700 USDC', { budget: '500' }],
    [`${'9'.repeat(42)} USDC`, { budget: '500' }],
    ['budget 1.5m', { budget: '500' }],
    ['300 USDC, fee -1%', { budget: '300', fee: 1000 }],
    ['300 USDC for 1.5 weeks', { budget: '300', ends: '2026-12-21T10:00:00.000Z' }],
    ['300 USDC for 1,000 days', { ends: '2026-12-21T10:00:00.000Z' }],
    ['300 USDC until 2027-02-30', { ends: '2026-12-21T10:00:00.000Z' }],
  ])('never takes a part of a number, or a date that does not exist, for what it says: %s', (note, expected) => {
    const draft = read(note)
    expect(draft).toMatchObject(expected)
    const preset = draft.fields.filter(({ source }) => source === 'preset').map(({ field }) => field)
    expect(preset).toEqual(expect.arrayContaining(['fee_bps', 'ends_at']))
  })

  test.each([
    ['ask me above 40, never ask me', '40'],
    ["don't ask me above 40", null],
    ['never ask, but approve every trade', '0'],
    ["1000 USDC, don't ask me before every trade", null],
  ])('that contradicts itself about asking is read as the one that asks more: %s', (note, approval) => {
    expect(read(note).approval).toBe(approval)
  })

  test('quotes the words of each field it sets', () => {
    const draft = read('500 USDC for 2 weeks, 40 per trade')
    expect(draft.source('budget_usdc')).toEqual({ field: 'budget_usdc', source: 'note', words: '500 USDC' })
    expect(draft.source('per_tx_cap_usdc')).toEqual({ field: 'per_tx_cap_usdc', source: 'note', words: '40 per trade' })
    expect(draft.source('ends_at')).toEqual({ field: 'ends_at', source: 'note', words: '2 weeks' })
    expect(draft.source('fee_bps')?.source).toBe('preset')
  })

  test('quotes words that stand in it, and gives the same draft again, whatever it says', () => {
    const words = fc.constantFrom(
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
    )
    const more = fc.constantFrom(
      'until',
      '2027-01-01',
      'lose',
      'fee',
      '1,000',
      '2k',
      'weeks',
      '3',
      '예산',
      '\u202e',
      ',',
      '.',
    )
    const list = fc.array(fc.oneof(words, more, fc.constantFrom(';', '99999999999999', '{}', '0')), { maxLength: 30 })
    fc.assert(
      fc.property(list, fc.string({ maxLength: 50, unit: 'grapheme' }), (parts, tail) => {
        const note = `${parts.join(' ')} ${tail}`
        const draft = draftFromNote(note, markets, now)
        expect(draftFromNote(note, markets, now)).toEqual(draft)
        for (const { source, words: quoted } of draft.fields) {
          expect(quoted !== null).toBe(source === 'note')
          if (quoted !== null) expect(quoted.split(', ').every((part) => note.includes(part))).toBe(true)
        }
      }),
      { numRuns: 500, seed: 1 },
    )
  })

  test('without figures never breaks a rule', () => {
    const draft = draftFromNote('grow my savings, safely', markets, now)
    expect(draftProblems(draft.limits, { now, markets, hlLegEnabled: false })).toEqual([])
  })
})
