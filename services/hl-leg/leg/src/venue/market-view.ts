import type { LegMarket } from '@svc/contracts/hl-leg/venue'
import { marketIdOf } from '@svc/venue/rules/market-id'
import type { VenueMarket } from './store/markets.ts'

/** The venue refuses an order below this notional. */
const MIN_ORDER_USDC = '10'

/** Returns a market as other services see it. */
export const marketView = (market: VenueMarket): LegMarket => ({
  market_id: marketIdOf(market.coin),
  title: `${market.coin.split(':').at(-1) ?? market.coin} perpetual`,
  dex: market.dex,
  coin: market.coin,
  listed: market.listed,
  volume_24h_usdc: market.volume,
  max_leverage: market.maxLeverage,
  min_order_usdc: MIN_ORDER_USDC,
  size_decimals: market.sizeDecimals,
})
