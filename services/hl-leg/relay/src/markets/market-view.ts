import type { VenueMarketView } from '@svc/contracts/hl-relay/markets'
import type { RelayedMarket } from './rules/market-of.ts'
import { titleOf } from './rules/titles.ts'

/** Returns a market as the services that trade see it. */
export const marketView = (market: RelayedMarket): VenueMarketView => ({
  market_id: market.marketId,
  coin: market.coin,
  dex: market.dex,
  asset: market.asset,
  title: titleOf(market.coin),
  size_decimals: market.sizeDecimals,
  max_leverage: market.maxLeverage,
  listed: market.listed,
  only_isolated: market.onlyIsolated,
  mark_price: market.mark,
  oracle_price: market.oracle,
  mid_price: market.middle,
  prev_day_price: market.previousDay,
  funding_hourly: market.fundingHourly,
  volume_24h_usd: market.volumeUsd,
  open_interest_usd: market.openInterestUsd,
  read_at: market.readAt.toISOString(),
})
