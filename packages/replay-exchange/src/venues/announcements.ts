import type { FastifyInstance } from 'fastify'
import type { VenueView } from '../view.ts'
import { wholeNumber, type Query } from '../wire.ts'

const KST_MS = 9 * 3_600_000

/** An announcement of a venue: what it says of which assets, from which day, and when it was published. */
interface Announced {
  readonly kind: 'delisting' | 'caution'
  readonly bases: readonly string[]
  readonly day: string
  readonly at: number
}

/** Returns what a venue has announced of the tokens that it lists, newest first. An announcement does not change. */
function announcedBy(view: VenueView): Announced[] {
  const warned = view.listings().flatMap(({ market, status, warnedAt, endsAt }) => {
    if (warnedAt === undefined || status === 'ended') return []
    return [{ base: market.base, warnedAt, endsAt }]
  })
  return [...Map.groupBy(warned, ({ warnedAt, endsAt }) => `${warnedAt} ${endsAt}`).values()]
    .flatMap((group): Announced[] => {
      const [first] = group
      if (first === undefined) return []
      const { warnedAt: at, endsAt } = first
      const bases = [...new Set(group.map(({ base }) => base))].toSorted()
      const day = new Date(endsAt ?? at).toISOString().slice(0, 10)
      return [{ kind: endsAt === null ? 'caution' : 'delisting', bases, day, at }]
    })
    .toSorted((a, b) => b.at - a.at)
}

const idOf = ({ kind, at, bases }: Announced) => `${kind}-${at}-${bases[0] ?? ''}`.toLowerCase()

/** Serves the list that Binance's website reads: delistings in the catalogue 161, tags in 49. */
export function binanceAnnouncements(app: FastifyInstance, view: VenueView): void {
  app.get('/bapi/composite/v1/public/cms/article/list/query', { config: { weight: 1 } }, async () => {
    const catalog = (catalogId: number, kind: Announced['kind'], title: (one: Announced) => string) => ({
      catalogId,
      articles: announcedBy(view)
        .filter((one) => one.kind === kind)
        .slice(0, 50)
        .map((one) => ({ id: one.at, code: idOf(one), title: title(one), type: 1, releaseDate: one.at })),
    })
    const list = (bases: readonly string[]) => bases.join(', ')
    return {
      code: '000000',
      message: null,
      data: {
        catalogs: [
          catalog(161, 'delisting', ({ bases, day }) => `Binance Will Delist ${list(bases)} on ${day}`),
          catalog(
            49,
            'caution',
            ({ bases, day }) => `Binance Will Extend the Monitoring Tag to Include ${list(bases)} on ${day}`,
          ),
        ],
      },
      success: true,
    }
  })
}

/** Serves KuCoin's announcements of delistings. */
export function kucoinAnnouncements(app: FastifyInstance, view: VenueView): void {
  app.get('/api/v3/announcements', { config: { weight: 20 } }, async () => ({
    code: '200000',
    data: {
      totalNum: 1,
      currentPage: 1,
      pageSize: 50,
      totalPage: 1,
      items: announcedBy(view)
        .filter(({ kind }) => kind === 'delisting')
        .slice(0, 50)
        .map((one) => ({
          annId: one.at,
          annTitle: `ST: KuCoin Will Delist ${one.bases.join(', ')} on ${one.day}`,
          annType: ['delistings'],
          annDesc: '',
          cTime: one.at,
          language: 'en_US',
          annUrl: `https://www.kucoin.com/announcement/${idOf(one)}`,
        })),
    },
  }))
}

/** Serves MEXC's announcements of delistings, a call that takes a fifth of the venue's limit. */
export function mexcAnnouncements(app: FastifyInstance, view: VenueView): void {
  app.get('/api/v3/announcements', { config: { weight: 100 } }, async () => ({
    success: true,
    code: 0,
    data: {
      list: announcedBy(view)
        .filter(({ kind }) => kind === 'delisting')
        .slice(0, 50)
        .map((one) => ({
          title: `MEXC Will Delist ${one.bases.join(', ')} on ${one.day}`,
          url: `https://www.mexc.com/announcements/article/${idOf(one)}`,
          postTime: one.at,
          language: 'en-US',
        })),
    },
  }))
}

/** Serves Bithumb's notices of ends of trading, newest first, with the day in the time of Seoul. */
export function bithumbAnnouncements(app: FastifyInstance, view: VenueView): void {
  const seoul = (at: number) => new Date(at + KST_MS).toISOString()
  app.get<{ Querystring: Query }>('/v1/notices', async ({ query }) =>
    announcedBy(view)
      .filter(({ kind }) => kind === 'delisting')
      .slice(0, wholeNumber(query, 'count', 5, 20))
      .map((one) => {
        const [, month, day] = one.day.split('-').map(Number)
        return {
          categories: ['거래지원종료'],
          title: `${one.bases.join(', ')} 거래지원 종료 안내 (${month}/${day} 15:00)`,
          pc_url: `https://feed.bithumb.com/notice/${idOf(one)}`,
          published_at: seoul(one.at).slice(0, 19).replace('T', ' '),
          modified_at: seoul(one.at).slice(0, 19).replace('T', ' '),
        }
      }),
  )
}
