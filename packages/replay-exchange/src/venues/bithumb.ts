import type { Listing } from '../feed.ts'
import type { VenueView } from '../view.ts'
import type { VenueWire } from '../wire.ts'
import { bithumbAnnouncements } from './announcements.ts'
import { quoteFirstRoutes, upbit } from './upbit.ts'

const HOUR = 3_600_000
const KST_MS = 9 * HOUR
/** Levels of a book when many are asked for at once; of a single one there are 30. */
const LEVELS_OF_MANY = 15
/** Changes of the price in a day from which an alarm is raised, with its step. */
const STEPS = [
  [0.3, 'DANGER'],
  [0.15, 'WARNING'],
  [0.05, 'CAUTION'],
] as const

/** Bithumb, `/v1`: Upbit's routes, its own words for warnings, and a list of the alarms in force. */
export const bithumb: VenueWire = {
  ...upbit,
  id: 'bithumb',
  limit: { windowMs: 1_000, budget: 150, defaultWeight: 1, bansAfter: null },
  routes: (app, view) => {
    quoteFirstRoutes(app, view, rowOf, LEVELS_OF_MANY)
    bithumbAnnouncements(app, view)
    app.get('/v1/market/virtual_asset_warning', async () =>
      view
        .listings()
        .filter(({ status }) => status === 'trading')
        .flatMap((listing) => alarmOf(listing, view)),
    )
  },
}

function rowOf({ market, warning }: Listing, view: VenueView, details: boolean): object {
  const names = {
    market: view.wireSymbol(market),
    korean_name: market.token.koreanName,
    english_name: market.token.name,
  }
  return details ? { ...names, market_warning: warning === 'none' ? 'NONE' : 'CAUTION' } : names
}

/** An alarm about a sudden change of the price, which ends with the hour, in the time of Seoul. */
function alarmOf(listing: Listing, view: VenueView): object[] {
  const ticker = view.ticker(listing)
  if (ticker === null) return []
  const change = Math.abs(ticker.last / ticker.open - 1)
  const step = STEPS.find(([least]) => change >= least)?.[1]
  if (step === undefined) return []
  const ends = new Date((Math.floor(view.now() / HOUR) + 1) * HOUR + KST_MS).toISOString()
  return [
    {
      market: view.wireSymbol(listing.market),
      warning_type: 'PRICE_SUDDEN_FLUCTUATION',
      warning_step: step,
      end_date: ends.slice(0, 19).replace('T', ' '),
    },
  ]
}
