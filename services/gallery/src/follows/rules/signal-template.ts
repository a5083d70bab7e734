import { listingTemplate, type ListingTemplate } from '@svc/contracts/gallery/listings'

/** Markets of a draft that follows signals, while none may be told from the signals. */
const USUAL_MARKETS = ['hl:BTC', 'hl:ETH']
const MARKETS_MAX = 32

/** Returns the template of a mandate of 50 USDC that follows signals on these markets. */
export const signalTemplate = (markets: readonly string[]): ListingTemplate =>
  listingTemplate.parse({
    markets: markets.length === 0 ? USUAL_MARKETS : markets.slice(0, MARKETS_MAX),
    per_tx_cap_usdc: '25',
    daily_cap_usdc: '50',
    stop_line_usdc: '40',
  })
