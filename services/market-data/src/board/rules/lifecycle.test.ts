import type { VenueFlag } from '@svc/contracts/market-data/board'
import { describe, expect, it } from 'vitest'
import { lifecycleOf, sinceWhen, type LifecycleFacts } from './lifecycle.ts'

const DAY = 86_400_000
const NOW = 1_000 * DAY
const healthy: LifecycleFacts = {
  trading: 'trading',
  tradingSince: 0,
  delistCause: null,
  listedAt: null,
  flags: [],
  score: 10,
  gpa: 3,
  volumeGrade: 'B',
  inCrisis: false,
  afterCrisis: false,
  lowGpaSince: null,
  worseningSince: null,
}
const flag = (meaning: VenueFlag['meaning']): VenueFlag => ({
  flag: meaning,
  meaning,
  since: '2026-01-01T00:00:00.000Z',
  effective_at: null,
  source: null,
  published_at: null,
  lateness_seconds: null,
})
const stateOf = (facts: Partial<LifecycleFacts>) => lifecycleOf({ ...healthy, ...facts }, NOW).state

describe('lifecycle', () => {
  it('is new for thirty days after a known listing, and active if the age is unknown', () => {
    expect(stateOf({ listedAt: NOW - 30 * DAY + 1 })).toBe('new')
    expect(stateOf({ listedAt: NOW - 30 * DAY })).toBe('active')
    expect(stateOf({ listedAt: null })).toBe('active')
  })

  it('is watch after a day with a low grade or three days with a worsening outlook', () => {
    expect(stateOf({ lowGpaSince: NOW - DAY })).toBe('watch')
    expect(stateOf({ lowGpaSince: NOW - DAY + 1 })).toBe('active')
    expect(stateOf({ worseningSince: NOW - 3 * DAY })).toBe('watch')
    expect(stateOf({ worseningSince: NOW - 3 * DAY + 1 })).toBe('active')
  })

  it('is at_risk by score only if the pair is also illiquid by an absolute measure; a score from 85 alone is watch', () => {
    const thin = [{ gpa: 1.69 }, { volumeGrade: 'D' as const }, { volumeGrade: 'F' as const }]
    for (const facts of thin) {
      expect(lifecycleOf({ ...healthy, ...facts, score: 95 }, NOW)).toEqual({ state: 'at_risk', cause: 'risk_score' })
      expect(stateOf({ ...facts, score: 94 })).toBe('watch')
      expect(stateOf({ ...facts, score: 84 })).toBe('active')
    }
    expect(lifecycleOf({ ...healthy, score: 99 }, NOW)).toEqual({ state: 'watch', cause: 'risk_score' })
    expect(stateOf({ score: 99, gpa: 1.7, volumeGrade: 'D+' })).toBe('watch')
    expect(stateOf({ score: 99, gpa: null, volumeGrade: null })).toBe('watch')
    expect(stateOf({ score: 84 })).toBe('active')
    expect(stateOf({ score: null })).toBe('active')
  })

  it('is halted at once if the halt is a crisis, and else after a quarter of an hour', () => {
    expect(stateOf({ inCrisis: true, trading: 'halted', tradingSince: NOW })).toBe('halted')
    expect(stateOf({ trading: 'halted', tradingSince: NOW })).toBe('active')
    expect(stateOf({ trading: 'halted', tradingSince: NOW - 15 * 60_000 })).toBe('halted')
  })

  it('is at least watch while a crisis is open, whatever the grade and age', () => {
    expect(lifecycleOf({ ...healthy, inCrisis: true }, NOW)).toEqual({ state: 'watch', cause: 'crisis_open' })
    const after = { ...healthy, afterCrisis: true }
    expect(lifecycleOf(after, NOW)).toEqual({ state: 'watch', cause: 'crisis_recent' })
    expect(lifecycleOf({ ...after, listedAt: NOW }, NOW).state).toBe('watch')
    expect(lifecycleOf({ ...after, inCrisis: true }, NOW).cause).toBe('crisis_open')
    expect(stateOf({ inCrisis: true, listedAt: NOW })).toBe('watch')
    expect(stateOf({ inCrisis: true, flags: [flag('caution')] })).toBe('at_risk')
  })

  it('is at_risk with an official flag, which is its cause', () => {
    for (const meaning of ['caution', 'warning', 'delisting_announced'] as const)
      expect(lifecycleOf({ ...healthy, flags: [flag(meaning)] }, NOW).cause).toBe(`flag_${meaning}`)
    expect(lifecycleOf({ ...healthy, flags: [flag('caution'), flag('delisting_announced')] }, NOW).cause).toBe(
      'flag_delisting_announced',
    )
    expect(stateOf({ flags: [flag('delisted_elsewhere')] })).toBe('active')
  })

  it('shows a halt after fifteen minutes; only a delisting takes precedence', () => {
    expect(stateOf({ trading: 'halted', tradingSince: NOW - 900_000, score: 99 })).toBe('halted')
    expect(stateOf({ trading: 'halted', tradingSince: NOW - 899_999 })).toBe('active')
    expect(lifecycleOf({ ...healthy, trading: 'delisted', delistCause: 'status_BREAK' }, NOW)).toEqual({
      state: 'delisted',
      cause: 'status_BREAK',
    })
  })

  it('keeps the begin of a condition until the condition ends', () => {
    expect([sinceWhen(true, null, 5), sinceWhen(true, 3, 5), sinceWhen(false, 3, 5)]).toEqual([5, 3, null])
  })
})
