import { exact } from '@svc/hyperliquid/rounding'
import { assetOf, marketIdOf } from '@svc/venue/rules/market-id'

/** A market of the venue with the prices that were read with it; decimal text. */
export interface RelayedMarket {
  readonly marketId: string
  readonly coin: string
  readonly dex: string
  readonly asset: number
  readonly sizeDecimals: number
  readonly maxLeverage: number
  readonly listed: boolean
  readonly onlyIsolated: boolean
  readonly mark: string
  readonly oracle: string
  /** Null if a side of the book is empty. */
  readonly middle: string | null
  readonly previousDay: string
  readonly fundingHourly: string
  readonly volumeUsd: string
  readonly openInterestUsd: string
  /** Prices at which an order of the venue's sample size would fill on average, selling and buying; null without. */
  readonly impact: { readonly sell: string; readonly buy: string } | null
  readonly readAt: Date
}

const USD_DECIMALS = 2

/** A market and its prices as the venue answers them. */
interface ListedMarket {
  readonly name: string
  readonly szDecimals: number
  readonly maxLeverage: number
  readonly isDelisted?: boolean | undefined
  readonly onlyIsolated?: boolean | undefined
  readonly marginMode?: string | undefined
}
interface Prices {
  readonly funding: string
  readonly openInterest: string
  readonly prevDayPx: string
  readonly dayNtlVlm: string
  readonly oraclePx: string
  readonly markPx: string
  readonly midPx: string | null
  readonly impactPxs?: readonly string[] | null | undefined
}
/** Markets of a dex, and at the same places their prices. */
export type DexAnswer = readonly [
  { readonly universe: readonly ListedMarket[]; readonly collateralToken?: number | undefined },
  readonly Prices[],
]

/** A dex by its name and its place in the venue's list. */
interface DexAt {
  readonly name: string
  readonly place: number
}

/**
 * Returns the markets of a dex with collateral in USDC; none of a dex with another one. A market whose prices the answer
 * does not contain is left out: it cannot be traded.
 */
export function marketsOf(dex: DexAt, [meta, contexts]: DexAnswer, readAt: Date): readonly RelayedMarket[] {
  if ((meta.collateralToken ?? 0) !== 0) return []
  return meta.universe.flatMap((market, place) => {
    const context = contexts[place]
    if (context === undefined) return []
    const [sell, buy] = context.impactPxs ?? []
    return {
      marketId: marketIdOf(market.name),
      coin: market.name,
      dex: dex.name,
      asset: assetOf(dex.place, place),
      sizeDecimals: market.szDecimals,
      maxLeverage: market.maxLeverage,
      listed: market.isDelisted !== true,
      onlyIsolated: market.onlyIsolated === true || market.marginMode !== undefined,
      mark: context.markPx,
      oracle: context.oraclePx,
      middle: context.midPx,
      previousDay: context.prevDayPx,
      fundingHourly: context.funding,
      volumeUsd: context.dayNtlVlm,
      openInterestUsd: exact(context.openInterest).times(context.markPx).toDecimalPlaces(USD_DECIMALS).toFixed(),
      impact: sell === undefined || buy === undefined ? null : { sell, buy },
      readAt,
    }
  })
}
