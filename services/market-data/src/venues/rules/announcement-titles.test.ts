import { venueFile } from '@svc/contracts/market-data/venues'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readTitle } from './announcement-titles.ts'

const PUBLISHED = Date.parse('2026-12-20T03:00:00.000Z')
const read = (venue: string, title: string) => {
  const reader = venueFile(venue).announcements
  if (reader === undefined) throw new Error(`${venue} has no announcements`)
  return readTitle(title, reader.titles, { publishedAt: PUBLISHED, utcOffsetHours: reader.utcOffsetHours })
}
const day = (text: string) => Date.parse(text)

describe('a title', () => {
  it.each([
    [
      'binance',
      'Binance Will Delist ICX, SCRT, STORJ on 2026-09-03',
      'delisting_announced',
      ['ICX', 'SCRT', 'STORJ'],
      day('2026-09-03'),
    ],
    ['binance', 'Binance Will Delist MCO (MCO) on 2020/11/02', 'delisting_announced', ['MCO'], day('2020-11-02')],
    [
      'binance',
      'Binance Will Extend the Monitoring Tag to Include AVA, GNS, SCR & TOWNS on 2026-09-04',
      'warning',
      ['AVA', 'GNS', 'SCR', 'TOWNS'],
      null,
    ],
    [
      'okx',
      'OKX to delist X, BSV, GOG, DIA, BONE and OXT spot trading pairs',
      'delisting_announced',
      ['X', 'BSV', 'GOG', 'DIA', 'BONE', 'OXT'],
      null,
    ],
    ['bybit', 'Bybit will be delisting AKRO spot trading pair.', 'delisting_announced', ['AKRO'], null],
    [
      'bithumb',
      '아이콘(ICX), 스토리지(STORJ) 거래지원 종료 안내 (1/19 15:00)',
      'delisting_announced',
      ['ICX', 'STORJ'],
      day('2027-01-18T15:00:00.000Z'),
    ],
    ['bithumb', '트론(TRX) 거래유의종목 지정 안내', 'warning', ['TRX'], null],
  ] as const)('of %s is read: %s', (venue, title, meaning, bases, effectiveAt) => {
    expect(read(venue, title)).toEqual({ meaning, bases, pairs: [], effectiveAt })
  })

  it('that names pairs means these pairs and not their assets', () => {
    expect(read('bybit', 'Delisting of ABC/USDT and DEF/USDC Spot Trading Pairs')).toMatchObject({
      bases: [],
      pairs: [
        ['ABC', 'USDT'],
        ['DEF', 'USDC'],
      ],
    })
  })

  it.each([
    ['binance', 'Binance Margin And Loan Will Delist TST & IOTX on 2026-07-10'],
    ['binance', 'Binance Futures Will Delist USDⓈ-M MOVRUSDT Perpetual Contract'],
    ['binance', 'Notice of Removal of Spot Trading Pairs - 2026-09-18'],
    ['binance', 'Binance Will Delist Some Tokens on 2026-09-03'],
    ['binance', 'Binance Will Delist ICX, and others on 2026-09-03'],
    ['binance', 'Binance Will Extend the Monitoring Tag to Include ACT, BLUR and Remove the Seed Tag for TNSR'],
    ['kucoin', 'ST: KuCoin Will Delist Certain Projects and Their Associated Trading Pairs'],
    ['kucoin', 'ST: KuCoin Will Delist Multiple Tokens on 2026-09-07'],
    ['okx', 'OKX to delist several perpetual futures'],
    ['bitget', '[Important] Bitget to delist ICXUSDT, SCRTUSDT, STORJUSDT futures and related services'],
    ['bithumb', '인젝티브(INJ) 거래유의종목 지정 해제'],
  ])('of %s that is not understood whole says nothing: %s', (venue, title) => {
    expect(read(venue, title)).toBe(null)
  })

  it('never names anything but tickers, whatever is written in it', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60, unit: 'grapheme' }), (list) => {
        const notice = read('binance', `Binance Will Delist ${list} on 2026-09-03`)
        for (const base of notice?.bases ?? []) expect(base).toMatch(/^[A-Z0-9]{1,20}$/)
      }),
    )
  })

  it('with a day that does not exist has no day', () => {
    expect(read('binance', 'Binance Will Delist ICX on 2026-02-31')).toMatchObject({
      bases: ['ICX'],
      effectiveAt: null,
    })
  })
})
