import { expect, test } from 'vitest'
import { citedView, claimedFigure, type Recorded } from './cited.ts'

const recorded: Recorded = {
  days_live: 40,
  adherence_pct: 97.5,
  signals_30d: 12,
  follow_gap_bps_median: null,
  followers: 3,
  violations_30d: 0,
  rank: 7,
}
const now = new Date('2026-11-22T10:00:00.000Z')
const claim = (claim_text: string, as_of_date = '2026-11-01') => ({
  url: 'https://example.com/record',
  source_name: 'Example',
  as_of_date,
  claim_text,
})

test.each([
  ['120 days live without a break', 'days_live', 120],
  ['99.8 % adherence', 'adherence_pct', 99.8],
  ['adherence of 99 %', 'adherence_pct', 99],
  ['1,200 signals a month', 'signals_30d', 1_200],
  ['followers: 45', 'followers', 45],
  ['ranked 3 of all', 'rank', 3],
  ['no violations ever', 'violations_30d', null],
  ['profit of 40 % a month', 'rank', undefined],
] as const)('"%s" speaks of %s as %s', (text, figure, cited) => {
  expect(claimedFigure(text, figure)).toBe(cited)
})

test('a claim stands next to what was recorded and changes none of it', () => {
  const view = citedView(claim('200 days live, ranked 1'), recorded, now)
  expect(view.cited_vs_recorded).toEqual([
    { figure: 'days_live', cited: 200, recorded: 40 },
    { figure: 'rank', cited: 1, recorded: 7 },
  ])
  expect(citedView(claim('40 % a month'), recorded, now).cited_vs_recorded).toEqual([])
})

test('a claim is stale after 90 days', () => {
  expect(citedView(claim('x', '2026-08-24'), recorded, now).stale).toBe(true)
  expect(citedView(claim('x', '2026-08-25'), recorded, now).stale).toBe(false)
})
