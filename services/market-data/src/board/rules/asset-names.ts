import type { AssetInstance, ContractClaim } from '#assets/rules/asset-claims.ts'
import { sameAssets } from '#assets/rules/asset-identity.ts'

/** An asset at a venue, with the names that this venue states. */
export interface StatedAsset {
  readonly exchange: string
  readonly base: string
  readonly name: string | null
  readonly name_ko: string | null
  readonly priceUsd: number | null
  readonly contracts: readonly ContractClaim[]
}

/** Names of an asset at a venue, and the venues that state them. */
export interface GivenNames {
  readonly name: string | null
  readonly name_from: string | null
  readonly name_ko: string | null
  readonly name_ko_from: string | null
}

/** Proofs of an asset do not depend on the quote currency, but groups have one. */
const ANY_QUOTE = 'USDT'

export const assetKey = ({ exchange, base }: Pick<StatedAsset, 'exchange' | 'base'>) => `${exchange} ${base}`

/**
 * Returns the names of every asset at every venue. A venue's own name stands. Where it states none, the name of the same
 * asset at another venue is taken, if contracts or the curated list prove that it is the same: the name that most venues
 * state, of equally many the one of the first venue by its id.
 */
export function assetNames(assets: readonly StatedAsset[]): ReadonlyMap<string, GivenNames> {
  const byKey = new Map(assets.map((one) => [assetKey(one), one]))
  const names = new Map<string, GivenNames>()
  const own = (one: StatedAsset, name: Stated | null, nameKo: Stated | null) =>
    names.set(assetKey(one), {
      name: one.name ?? name?.name ?? null,
      name_from: one.name === null ? (name?.from ?? null) : one.exchange,
      name_ko: one.name_ko ?? nameKo?.name ?? null,
      name_ko_from: one.name_ko === null ? (nameKo?.from ?? null) : one.exchange,
    })
  for (const one of byKey.values()) own(one, null, null)
  for (const { members } of sameAssets([...byKey.values()].map(instanceOf)).groups) {
    const same = members.flatMap(({ id }) => byKey.get(id) ?? [])
    const name = mostStated(same, (one) => one.name)
    const nameKo = mostStated(same, (one) => one.name_ko)
    for (const one of same) own(one, name, nameKo)
  }
  return names
}

const instanceOf = (one: StatedAsset): AssetInstance => ({
  id: assetKey(one),
  exchange: one.exchange,
  base: one.base,
  quote: ANY_QUOTE,
  name: one.name,
  priceUsd: one.priceUsd,
  contracts: one.contracts,
})

interface Stated {
  readonly name: string
  readonly from: string
}

/** Returns the name that most venues state, whatever its case and spaces; null if none states one. */
function mostStated(members: readonly StatedAsset[], read: (one: StatedAsset) => string | null): Stated | null {
  const stated = members
    .flatMap((one): Stated[] => {
      const name = read(one)
      return name === null ? [] : [{ name, from: one.exchange }]
    })
    .toSorted((a, b) => (a.from < b.from ? -1 : 1))
  const groups = Map.groupBy(stated, ({ name }) => name.toLowerCase().replaceAll(/\s+/gu, ''))
  // Sorting is stable, so of equally many the group of the first venue leads.
  return [...groups.values()].toSorted((a, b) => b.length - a.length)[0]?.[0] ?? null
}
