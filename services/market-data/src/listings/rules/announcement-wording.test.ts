import { describe, expect, it } from 'vitest'
import { isAboutDanger, wordingOf } from './announcement-wording.ts'

const DAY = 86_400_000
const now = Date.parse('2026-09-01T00:00:00Z')

describe('the wording of a page of announcements', () => {
  it('has changed if the page was read for three days and held nothing', () => {
    const facts = { now, knownAt: now - DAY }
    expect(wordingOf({ ...facts, heldAt: now - 3 * DAY })).toBe('known')
    expect(wordingOf({ ...facts, heldAt: now - 3 * DAY - 1 })).toBe('nothing_read')
  })

  it('has changed if titles were known once and none was for four months', () => {
    expect(wordingOf({ now, heldAt: now, knownAt: now - 120 * DAY })).toBe('known')
    expect(wordingOf({ now, heldAt: now, knownAt: now - 121 * DAY })).toBe('no_known_title')
    expect(wordingOf({ now, heldAt: now, knownAt: null })).toBe('known')
  })

  it('is looked at where a title names a delisting or a warning, in English and in Korean', () => {
    for (const title of [
      'Upcoming delistings at X',
      'X extends its monitoring tag',
      '가나(GANA) 거래지원 종료 공지',
      '거래유의 촉구',
    ])
      expect(isAboutDanger(title), title).toBe(true)
    for (const title of ['Binance Will List X', '에어드랍 이벤트 안내']) expect(isAboutDanger(title), title).toBe(false)
  })
})
