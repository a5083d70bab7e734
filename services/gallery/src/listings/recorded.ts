import type { RecordedFigures } from '@svc/contracts/gallery/listings'
import type { Db } from '@svc/postgres'
import { followFigures } from '#gaps/store/follow-figures.ts'
import { standingOf, type Standing } from '#hall/store/standing.ts'
import type { Recorded as ClaimedFigures } from './rules/cited.ts'
import { vaultSignals, type VaultSignals } from './store/vault-signals.ts'

const SIGNAL_DAYS = 30
const DAY_MS = 86_400_000

/** A seller, and the vault of its listing or of its operator. */
export interface Seller {
  readonly agentId: number
  readonly vaultId: string | null
}

/** What the service recorded of a seller. */
export interface Recorded {
  readonly figures: RecordedFigures
  /** Null if the Hall has no good row of the seller. */
  readonly standing: Standing | null
  readonly head: VaultSignals['head'] | null
}

/** Returns what is recorded of sellers, by a function; reads each table once. */
export async function recordedOf(db: Db, sellers: readonly Seller[], now: Date): Promise<(seller: Seller) => Recorded> {
  const vaults = [...new Set(sellers.flatMap(({ vaultId }) => vaultId ?? []))]
  const agents = [...new Set(sellers.map(({ agentId }) => agentId))]
  const since = new Date(now.getTime() - SIGNAL_DAYS * DAY_MS)
  const [standings, gaps, signals] = await Promise.all([
    standingOf(db, agents),
    followFigures(db, vaults),
    vaultSignals(db, vaults, since),
  ])
  return ({ agentId, vaultId }) => {
    const standing = standings.get(agentId) ?? null
    const gap = vaultId === null ? undefined : gaps.get(vaultId)
    const published = vaultId === null ? undefined : signals.get(vaultId)
    return {
      standing,
      head: published?.head ?? null,
      figures: {
        days_live: standing?.daysLive ?? null,
        adherence_pct: standing?.adherencePct ?? null,
        signals_30d: vaultId === null ? null : (published?.count ?? 0),
        follow_gap_bps_median: gap?.gapBpsMedian ?? null,
        follow_gap_bps_p90: gap?.gapBpsP90 ?? null,
        followers: vaultId === null ? null : (gap?.followers ?? 0),
      },
    }
  }
}

/** Returns what was recorded under the names by which claims speak of it. */
export const claimedFigures = ({ figures, standing }: Recorded): ClaimedFigures => ({
  ...figures,
  violations_30d: standing?.violations30d ?? null,
  rank: standing?.rank ?? null,
})
