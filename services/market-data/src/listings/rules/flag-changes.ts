import type { KnownInstance } from './listing.ts'
import type { OfficialFlag } from '@svc/contracts/market-data/venue-file'
import type { SourcedFlag } from '#venues/rules/venue.ts'

interface StandingFlag {
  readonly instance_id: number
  readonly flag: string
  readonly meaning: OfficialFlag['meaning']
  readonly effective_at: string | null
}

interface FlagChange {
  readonly instanceId: number
  readonly flag: string
  readonly meaning: OfficialFlag['meaning']
  readonly raised: boolean
  readonly effectiveAt: Date | null
  readonly source: string | null
  readonly publishedAt: Date | null
}

const FLAGS_PER_PAIR_MAX = 20

/**
 * Returns the flags that appear, change or end by the venue's list `now`. With `complete` false no flag ends. Delisted
 * instances keep their flags.
 */
export function flagChanges(
  standing: readonly StandingFlag[],
  instances: readonly KnownInstance[],
  now: readonly SourcedFlag[],
  complete = true,
): FlagChange[] {
  const living = new Map(instances.flatMap((one) => (one.trading === 'delisted' ? [] : [[one.symbol, one.instanceId]])))
  const livingIds = new Set(living.values())
  const before = new Map(standing.map((flag) => [`${flag.instance_id} ${flag.flag}`, flag]))
  const perPair = new Map<number, number>()
  const seen = new Set<string>()
  const changes: FlagChange[] = []
  for (const { symbol, flag, meaning, effectiveAt, source, publishedAt } of now) {
    const instanceId = living.get(symbol)
    if (instanceId === undefined) continue
    const count = (perPair.get(instanceId) ?? 0) + 1
    perPair.set(instanceId, count)
    const key = `${instanceId} ${flag}`
    if (count > FLAGS_PER_PAIR_MAX || seen.has(key)) continue
    seen.add(key)
    const known = before.get(key)
    const effective = effectiveAt === null ? null : new Date(effectiveAt)
    if (known === undefined || known.effective_at !== (effective?.toISOString() ?? null))
      changes.push({
        instanceId,
        flag,
        meaning,
        raised: true,
        effectiveAt: effective,
        source,
        publishedAt: publishedAt === null ? null : new Date(publishedAt),
      })
  }
  for (const [key, { instance_id, flag, meaning }] of complete ? before : [])
    if (!seen.has(key) && livingIds.has(instance_id))
      changes.push({
        instanceId: instance_id,
        flag,
        meaning,
        raised: false,
        effectiveAt: null,
        source: null,
        publishedAt: null,
      })
  return changes
}
