import type { FastifyInstance } from 'fastify'
import type { VenueView } from '../view.ts'

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
