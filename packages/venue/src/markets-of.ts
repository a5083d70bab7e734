import type { AnswerTo } from '@svc/hyperliquid'
import { assetOf } from './rules/market-id.ts'

/** A market of the venue as it was read. `usdc`: its collateral is USDC. Prices and volumes are decimal text. */
export interface ReadMarket {
  readonly coin: string
  readonly dex: string
  readonly asset: number
  readonly sizeDecimals: number
  readonly maxLeverage: number
  readonly usdc: boolean
  readonly listed: boolean
  readonly mark: string
  readonly volume: string
  readonly readAt: Date
}

/**
 * Returns the markets of a dex at a place of the venue's list. A market whose mark the answer does not contain is left
 * out: it cannot be traded.
 */
export function marketsOf(
  dex: { readonly name: string; readonly place: number },
  [meta, contexts]: AnswerTo<'metaAndAssetCtxs'>,
  readAt: Date,
): readonly ReadMarket[] {
  return meta.universe.flatMap((market, place) => {
    const context = contexts[place]
    if (context === undefined) return []
    return {
      coin: market.name,
      dex: dex.name,
      asset: assetOf(dex.place, place),
      sizeDecimals: market.szDecimals,
      maxLeverage: market.maxLeverage,
      usdc: (meta.collateralToken ?? 0) === 0,
      listed: market.isDelisted !== true,
      mark: context.markPx,
      volume: context.dayNtlVlm,
      readAt,
    }
  })
}
