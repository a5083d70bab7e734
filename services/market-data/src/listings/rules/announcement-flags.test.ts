import { describe, expect, it } from 'vitest'
import { announcementFlags, type StoredNotice } from './announcement-flags.ts'

const DAY = 86_400_000
const NOW = Date.UTC(2026, 10, 20)
const instance = (symbol: string, listedAt: number | null = null) => ({
  instanceId: 1,
  tokenId: symbol,
  symbol,
  trading: 'trading' as const,
  tradingSince: 0,
  missingLists: 0,
  missingSince: null,
  listedAt,
})
const notice = (more: Partial<StoredNotice> = {}): StoredNotice => ({
  meaning: 'delisting_announced',
  bases: ['ABC'],
  symbols: [],
  source: 'venue /news',
  publishedAt: NOW - DAY,
  firstSeenAt: NOW - DAY + 60_000,
  effectiveAt: NOW + DAY,
  ...more,
})
const all = [instance('ABC/USDT'), instance('ABC/BTC'), instance('DEF/USDT')]
const symbolsOf = (notices: readonly StoredNotice[], at = NOW, instances = all) =>
  announcementFlags(notices, instances, at).map(({ symbol, meaning }) => `${symbol} ${meaning}`)

describe('announcements', () => {
  it('flag every pair of a named asset, and of a named pair only this pair', () => {
    expect(symbolsOf([notice()])).toEqual(['ABC/USDT delisting_announced', 'ABC/BTC delisting_announced'])
    expect(symbolsOf([notice({ bases: [], symbols: ['ABC/BTC'] })])).toEqual(['ABC/BTC delisting_announced'])
    expect(symbolsOf([notice({ bases: ['XYZ'], symbols: ['QQQ/USDT'] })])).toEqual([])
  })

  it('stand until a week after their day, and without a day for 30 or 90 days', () => {
    expect(symbolsOf([notice()], NOW + 8 * DAY - 1)).toHaveLength(2)
    expect(symbolsOf([notice()], NOW + 8 * DAY)).toEqual([])
    const undated = notice({ effectiveAt: null })
    expect(symbolsOf([undated], NOW + 29 * DAY - 1)).toHaveLength(2)
    expect(symbolsOf([undated], NOW + 29 * DAY)).toEqual([])
    const tag = notice({ meaning: 'warning', effectiveAt: null })
    expect(symbolsOf([tag], NOW + 89 * DAY - 1)).toHaveLength(2)
    expect(symbolsOf([tag], NOW + 89 * DAY)).toEqual([])
  })

  it('say nothing about an asset that was listed after them', () => {
    const listed = [instance('ABC/USDT', NOW), instance('ABC/BTC', NOW - 2 * DAY)]
    expect(symbolsOf([notice()], NOW, listed)).toEqual(['ABC/BTC delisting_announced'])
  })

  it('of one class are one flag: the latest, with its source and time', () => {
    const [old, late] = [notice({ publishedAt: NOW - 3 * DAY, effectiveAt: NOW + 9 * DAY }), notice()]
    const [flag] = announcementFlags([late, old], all, NOW)
    expect(flag).toEqual({
      symbol: 'ABC/USDT',
      flag: 'announcement.delisting_announced',
      meaning: 'delisting_announced',
      effectiveAt: NOW + DAY,
      source: 'venue /news',
      publishedAt: NOW - DAY,
    })
  })
})
