import { refuse } from '@svc/contract'
import { unknownCoin } from '@svc/contracts/hl-relay/refusals'
import type { Context } from '#relay/context.ts'
import { dexOf } from '#venue/rules/market-id.ts'
import { readDexMarkets } from './read-markets.ts'
import type { RelayedMarket } from './rules/market-of.ts'

/** Which markets exist is known from a copy of up to ten minutes, so that an unknown name costs the venue nothing. */
const EXISTS = { by: 'relays', maxAgeMs: 60_000 } as const

/** Returns a market by the venue's name; refuses a name that no dex of this deployment has. */
export async function requireMarket(
  context: Pick<Context, 'answers' | 'settings'>,
  coin: string,
): Promise<RelayedMarket> {
  const dex = dexOf(coin)
  const markets = context.settings.dexes.includes(dex) ? await readDexMarkets(context, EXISTS, dex) : null
  return markets?.items.find((market) => market.coin === coin) ?? refuse(unknownCoin)
}
