import { refuse } from '@svc/contract'
import { unknownCoin } from '@svc/contracts/hl-relay/refusals'
import type { Context } from '#context.ts'
import { dexOf } from '@svc/venue/rules/market-id'
import { LISTED, readDexMarkets } from './read-markets.ts'
import type { RelayedMarket } from './rules/market-of.ts'

/** Returns a market by the venue's name; null for a name that no dex of this deployment has. */
export async function findMarket(
  context: Pick<Context, 'answers' | 'settings'>,
  coin: string,
): Promise<RelayedMarket | null> {
  const dex = dexOf(coin)
  const markets = context.settings.dexes.includes(dex) ? await readDexMarkets(context, LISTED, dex) : null
  return markets?.items.find((market) => market.coin === coin) ?? null
}

/**
 * Returns a market by the venue's name; refuses a name that no dex of this deployment has. The list of markets is kept, so
 * that an unknown name costs the venue nothing.
 */
export async function requireMarket(
  context: Pick<Context, 'answers' | 'settings'>,
  coin: string,
): Promise<RelayedMarket> {
  return (await findMarket(context, coin)) ?? refuseCoin(coin)
}

const refuseCoin = (coin: string): never =>
  refuse(unknownCoin, `The venue has no market ${coin} on the dexes that this deployment reads.`)
