import type { Context } from '#context.ts'
import { emitLeg } from './emit-leg.ts'
import { accountOf } from './leg-keys.ts'
import { liveLegs, lockLeg, moveLeg } from './store/legs.ts'

/** Live legs of a deployment that one tick compares. */
const LEGS_MAX = 10_000

/**
 * Marks bound legs whose key the seed of this deployment does not derive any more. Needs no answer of the venue. Returns
 * how many there were.
 */
export async function endOrphans({ pool, venue, seed }: Context, now: Date): Promise<number> {
  if (seed === null) return 0
  const live = await liveLegs(pool, venue.network, { limit: LEGS_MAX })
  let ended = 0
  for (const leg of live.filter(({ state }) => state !== 'orphaned')) {
    if (accountOf(seed, leg) !== null) continue
    await pool.transaction(async (tx) => {
      const locked = await lockLeg(tx, leg.publicId)
      if (locked === null || locked.state === 'released' || accountOf(seed, locked) !== null) return
      await emitLeg(tx, await moveLeg(tx, leg.publicId, { state: 'orphaned', reason: null }, now), null, now)
      ended += 1
    })
  }
  return ended
}
