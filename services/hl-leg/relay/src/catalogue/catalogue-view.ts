import type { IndexView, ProductView } from '@svc/contracts/hl-relay/catalogue'
import { legMarketId } from '@svc/contracts/hl-leg/venue'
import { exact } from '@svc/hyperliquid/rounding'
import { sessionOfMarket, underlyingOf } from '@svc/market-sessions'
import type { Context } from '#context.ts'
import { bpsFrom } from '#markets/rules/liquidity.ts'
import type { RelayedMarket } from '#markets/rules/market-of.ts'
import { shortName, titleOf } from '#markets/rules/titles.ts'

type Settings = Pick<Context['settings'], 'liveTrading'>

/** The venue refuses an order below this notional. */
const MIN_ORDER_USDC = '10'
const PERCENT_DECIMALS = 2

/** Returns the listed markets that have an id of ours, the greatest volume first. */
export const offered = (markets: readonly RelayedMarket[]): readonly RelayedMarket[] =>
  markets
    .filter(({ listed, marketId }) => listed && legMarketId.safeParse(marketId).success)
    .toSorted((a, b) => exact(b.volumeUsd).cmp(a.volumeUsd) || (a.coin < b.coin ? -1 : 1))

const sessionAt = (coin: string, now: Date) => sessionOfMarket(coin, now)?.state ?? null

/** Returns a market of another dex as the list of indices shows it. */
export const indexView = ({ liveTrading }: Settings, market: RelayedMarket, now: Date): IndexView => ({
  sym: shortName(market.coin),
  market_id: market.marketId,
  dex: market.dex,
  title: titleOf(market.coin),
  mark_price: market.mark,
  oracle_price: market.oracle,
  premium_bps: bpsFrom(market.mark, market.oracle),
  funding_hourly: market.fundingHourly,
  open_interest_usd: market.openInterestUsd,
  volume_24h_usd: market.volumeUsd,
  max_leverage: market.maxLeverage,
  session: sessionAt(market.coin, now),
  status: liveTrading ? 'live' : 'paper',
})

/** Returns a market as the trade pages show it. */
export const productView = ({ liveTrading }: Settings, market: RelayedMarket, now: Date): ProductView => ({
  market_id: market.marketId,
  coin: market.coin,
  title: titleOf(market.coin),
  kind: market.dex === '' ? 'crypto' : (underlyingOf(market.coin)?.kind ?? 'other'),
  mark_price: market.mark,
  mid_price: market.middle,
  change_24h_pct: changePct(market),
  funding_hourly: market.fundingHourly,
  volume_24h_usd: market.volumeUsd,
  max_leverage: market.maxLeverage,
  min_order_usdc: MIN_ORDER_USDC,
  session: sessionAt(market.coin, now),
  modes: liveTrading ? ['paper', 'live'] : ['paper'],
})

function changePct({ mark, previousDay }: RelayedMarket): string | null {
  const before = exact(previousDay)
  if (before.isZero()) return null
  return exact(mark).minus(before).div(before).times(100).toDecimalPlaces(PERCENT_DECIMALS).toFixed()
}
