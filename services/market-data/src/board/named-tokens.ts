import { reviewed } from '#assets/rules/asset-claims.ts'
import { verifiedContracts } from '#assets/store/verified-contracts.ts'
import type { Context } from '#context.ts'
import { isDollar } from '#markets/rules/usd-rates.ts'
import { assetKey, assetNames, type GivenNames, type StatedAsset } from './rules/asset-names.ts'
import type { Known } from './rules/gather-inputs.ts'

/** Parts of the context that are used here. */
type Parts = Pick<Context, 'pool' | 'market'>

/** Returns how tokens are named: by their venue, or as the same asset at another venue. Undefined for a delisted token. */
export async function namesOf(
  context: Parts,
  tokens: readonly Known[],
): Promise<(token: Known) => GivenNames | undefined> {
  const verified = await verifiedContracts(context.pool)
  const stated = new Map<string, StatedAsset>()
  for (const token of tokens) {
    if (token.trading === 'delisted') continue
    const key = assetKey(token)
    const known = stated.get(key)
    const own = verified.get(token.instance_id)
    const reviews = own === undefined ? [] : reviewed(own.chain, own.address)
    stated.set(key, {
      exchange: token.exchange,
      base: token.base,
      name: known?.name ?? token.name,
      name_ko: known?.name_ko ?? token.name_ko,
      priceUsd: known?.priceUsd ?? priceUsdOf(context, token),
      contracts: [...(known?.contracts ?? publishedOf(context, token)), ...reviews],
    })
  }
  const names = assetNames([...stated.values()])
  return (token) => (token.trading === 'delisted' ? undefined : names.get(assetKey(token)))
}

const publishedOf = ({ market }: Parts, { exchange, base }: Known) =>
  (market.of(exchange).contracts.get(base) ?? []).map((one) => ({ ...one, approved: false }))

function priceUsdOf({ market }: Parts, { exchange, symbol, quote }: Known): number | null {
  const seen = market.of(exchange).quotes.get(symbol)
  const price = seen?.bid != null && seen.ask != null ? (seen.bid + seen.ask) / 2 : (seen?.last ?? null)
  const usd = market.usdRate(exchange, quote) ?? (isDollar(quote) ? 1 : null)
  return price === null || usd === null ? null : price * usd
}
