import { VENUE_PAIRS_MAX, type TargetHistory } from '@svc/contracts/market-data/research'
import { reviewed } from '#assets/rules/asset-claims.ts'
import { proofStatements } from '#assets/rules/asset-evidence.ts'
import { sameAssets } from '#assets/rules/asset-identity.ts'
import type { BoardEntry } from '#board/rules/board.ts'
import { isDollar } from '#markets/rules/usd-rates.ts'

/** A listing that may be of the asset, with its approved address. */
export interface AssetListing {
  readonly instance_id: number
  readonly token_id: string
  readonly exchange: string
  readonly symbol: string
  readonly base: string
  readonly quote: string
  readonly name: string | null
  readonly chain: string | null
  readonly address: string | null
}

/** Most statements of what proves an asset, and their length. */
const BASIS = { count: 10, length: 200 } as const
const fitting = (text: string) => (text.length <= BASIS.length ? text : `${text.slice(0, BASIS.length - 1)}…`)
/** Proofs of an asset do not depend on the quote currency, but groups have one. */
const ANY_QUOTE = 'USDT'

/**
 * Returns the listings of the asset of `own`, the largest volume first, with their share of the volume that is known. At the
 * same venue an equal ticker is the same asset; at another venue only a proof makes it so. Listings with an equal ticker
 * and no proof are counted by venue and not in the sums.
 */
export function assetVenues(
  own: number,
  listings: readonly AssetListing[],
  entryOf: (listing: AssetListing) => BoardEntry | undefined,
): TargetHistory['venues'] {
  const self = listings.find(({ instance_id }) => instance_id === own)
  const { groups } = sameAssets(
    listings.map((one) => ({
      id: String(one.instance_id),
      exchange: one.exchange,
      base: one.base,
      quote: ANY_QUOTE,
      name: one.name,
      priceUsd: isDollar(one.quote) ? (entryOf(one)?.row.price ?? null) : null,
      contracts: reviewed(one.chain, one.address),
    })),
  )
  const group = groups.find(({ members }) => members.some(({ id }) => id === String(own)))
  const proven = new Set(group?.members.map(({ id }) => Number(id)))
  const isSame = (one: AssetListing) =>
    one.instance_id === own ||
    proven.has(one.instance_id) ||
    (self !== undefined && one.exchange === self.exchange && one.base === self.base)
  const same = listings.filter(isSame).map((one) => ({ one, row: entryOf(one)?.row }))
  const known = same.flatMap(({ row }) => row?.volume_24h_usd ?? [])
  const total = known.length === 0 ? null : known.reduce((sum, volume) => sum + volume, 0)
  const shareOf = (volume: number | null) => (volume === null || total === null || total === 0 ? null : volume / total)
  const pairs = same
    .map(({ one, row }) => {
      const volume = row?.volume_24h_usd ?? null
      return {
        token_id: one.token_id,
        exchange: one.exchange,
        symbol: one.symbol,
        is_this: one.instance_id === own,
        grade: row?.grade ?? null,
        gpa_is_lower_bound: row?.gpa_is_lower_bound ?? false,
        lifecycle: row?.lifecycle ?? null,
        alerts: row?.alerts ?? null,
        recent_alerts: row?.recent_alerts ?? null,
        not_judged: row?.not_judged ?? null,
        price: row?.price ?? null,
        spread_bps: row?.spread_bps ?? null,
        depth_2pct_usd: row?.depth_2pct_usd ?? null,
        depth_is_lower_bound: row?.depth_is_lower_bound ?? false,
        volume_24h_usd: volume,
        volume_share: shareOf(volume),
      }
    })
    .toSorted((a, b) => (b.volume_24h_usd ?? -1) - (a.volume_24h_usd ?? -1) || (a.token_id < b.token_id ? -1 : 1))
  // The pair itself is among the listed ones however small it is.
  const shown = pairs.filter((one, place) => place < VENUE_PAIRS_MAX - 1 || one.is_this).slice(0, VENUE_PAIRS_MAX)
  return {
    total: pairs.length,
    exchanges: new Set(pairs.map(({ exchange }) => exchange)).size,
    volume_24h_usd: total,
    volume_known_of: known.length,
    basis: group === undefined ? [] : proofStatements(group.basis, group.evidence).slice(0, BASIS.count).map(fitting),
    pairs: shown,
    unproven: [...new Set(listings.filter((one) => !isSame(one)).map(({ exchange }) => exchange))]
      .toSorted()
      .slice(0, 50),
  }
}
