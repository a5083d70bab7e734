import { rowReader } from '@svc/contracts/market-data/answer-rows'
import { venueFile, venueFiles } from '@svc/contracts/market-data/venues'
import { describe, expect, it } from 'vitest'

/** An answer of each venue in the form of its documentation, with one announcement of 2026-09-01. */
const AT = Date.parse('2026-09-01T06:00:00.000Z')
const answers: Readonly<Record<string, (title: string) => unknown>> = {
  binance: (title) => ({
    code: '000000',
    data: {
      catalogs: [
        { catalogId: 48, articles: [{ id: 1, code: 'new', title: 'Binance Will List X', releaseDate: AT }] },
        { catalogId: 161, articles: [{ id: 2, code: 'c0de', title, type: 1, releaseDate: AT }] },
      ],
    },
    success: true,
  }),
  kucoin: (title) => ({
    code: '200000',
    data: {
      totalNum: 1,
      items: [
        {
          annId: 7,
          annTitle: title,
          annType: ['delistings'],
          cTime: AT,
          annUrl: 'https://www.kucoin.com/announcement/7',
        },
      ],
    },
  }),
  bybit: (title) => ({
    retCode: 0,
    result: {
      total: 1,
      list: [{ title, description: '', tags: ['Spot'], url: 'https://announcements.bybit.com/1', dateTimestamp: AT }],
    },
  }),
  okx: (title) => ({
    code: '0',
    data: [
      {
        details: [{ annType: 'announcements-delistings', title, url: 'https://www.okx.com/help/1', pTime: String(AT) }],
      },
    ],
  }),
  bitget: (title) => ({
    code: '00000',
    data: [{ annId: '3', annTitle: title, annDesc: '', cTime: String(AT), annUrl: 'https://www.bitget.com/support/3' }],
  }),
  mexc: (title) => ({
    code: 0,
    data: { list: [{ title, url: 'https://www.mexc.com/announcements/1', postTime: AT, language: 'en-US' }] },
  }),
  bithumb: (title) => [
    {
      categories: ['거래지원종료'],
      title,
      pc_url: 'https://feed.bithumb.com/notice/1',
      published_at: '2026-09-01 15:00:00',
    },
  ],
}

const readers = [...venueFiles].flatMap(([venue, { announcements }]) => (announcements ? [venue] : []))

describe.each(readers)('announcements of %s', (venue) => {
  const reader = venueFile(venue).announcements
  const read = (title: string) => reader?.read(answers[venue]?.(title), rowReader())

  it('are read from an answer of the documented form, with their time and address', () => {
    expect(read('A title')).toEqual([
      { id: expect.any(String), title: 'A title', url: expect.stringMatching(/^https:\/\//), publishedAt: AT },
    ])
  })

  it('have texts of limited length without line breaks', () => {
    const [one] = read(`Delist\n\n${'x'.repeat(5_000)}`) ?? []
    expect(one?.title).toHaveLength(300)
    expect(one?.title.slice(0, 8)).toBe('Delist x')
  })

  it('in an answer of another form are a bad answer, not an empty list', () => {
    for (const raw of [{}, null, [1], { data: 'x' }, { result: {} }])
      expect(() => reader?.read(raw, rowReader())).toThrow()
  })
})
