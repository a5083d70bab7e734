import type { Db } from '@svc/postgres'
import { findLive, findVersion, type Live } from './store/live.ts'
import { LRUCache } from 'lru-cache'
import type { Party } from '#mandate/store/mandates.ts'

/** Mandates that are kept; above that the one that was asked for longest ago goes. */
const KEPT_MAX = 4_000

/** Reads what is polled of mandates. */
export type LiveReader = (
  publicId: string,
  party: Party,
  times: { readonly now: Date; readonly refusedSince: Date },
) => Promise<Live | null>

/**
 * Reads what is polled of mandates every few seconds and seldom changes: what was read before is given again while its
 * version is the same, which costs a look at one row instead of five tables.
 */
export function openLiveReader(db: Db): LiveReader {
  const kept = new LRUCache<string, Live>({ max: KEPT_MAX })
  const keep = (publicId: string, live: Live): Live => {
    kept.set(publicId, live)
    return live
  }
  return async (publicId, party, times) => {
    const known = kept.get(publicId)
    if (known !== undefined && (known.changesAt === null || times.now < known.changesAt)) {
      const version = await findVersion(db, publicId, party, times.now)
      if (version === null) return null
      if (version === known.version) return keep(publicId, known)
    }
    const live = await findLive(db, publicId, party, times)
    return live === null ? null : keep(publicId, live)
  }
}
