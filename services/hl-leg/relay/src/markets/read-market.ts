import { refuse } from '@svc/contract'
import { unknownCoin } from '@svc/contracts/hl-relay/refusals'
import type { Context } from '#context.ts'
import { dexOf } from '@svc/venue/rules/market-id'
import { LISTED, readDexMarkets } from './read-markets.ts'
import type { RelayedMarket } from './rules/market-of.ts'

type Reader = Pick<Context, 'answers' | 'settings'>

/** Returns markets by the venue's names, without the names that no dex of this deployment has. Each dex is looked up once. */
export async function findMarkets(
  context: Reader,
  coins: readonly string[],
): Promise<ReadonlyMap<string, RelayedMarket>> {
  const dexes = [...new Set(coins.map(dexOf))].filter((dex) => context.settings.dexes.includes(dex))
  const read = await Promise.all(dexes.map((dex) => readDexMarkets(context, LISTED, dex)))
  return new Map(read.flatMap((markets) => markets?.items ?? []).map((market) => [market.coin, market]))
}

/**
 * Returns a market by the venue's name; refuses a name that no dex of this deployment has. The list of markets is kept, so
 * that an unknown name costs the venue nothing.
 */
export async function requireMarket(context: Reader, coin: string): Promise<RelayedMarket> {
  return (await findMarkets(context, [coin])).get(coin) ?? refuseCoins([coin])
}

/** Names that a refusal says: the detail of a problem has an end. */
const NAMED_MAX = 20

/** Refuses names that no dex of this deployment has. */
export function refuseCoins(coins: readonly string[]): never {
  const more = coins.length > NAMED_MAX ? ` and ${coins.length - NAMED_MAX} more` : ''
  const named = coins.slice(0, NAMED_MAX).join(', ') + more
  return refuse(unknownCoin, `The venue has no market ${named} on the dexes that this deployment reads.`)
}
