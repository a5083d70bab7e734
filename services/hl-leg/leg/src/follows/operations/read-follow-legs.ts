import { ok } from '@svc/contract'
import type { hlLeg } from '@svc/contracts/hl-leg'
import type { FollowLeg } from '@svc/contracts/hl-leg/follows'
import { signedUnits, usdcUnits } from '@svc/contracts/common/usdc'
import { usdcText } from '@svc/limits'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { isLive } from '#legs/rules/standing.ts'
import { legsById } from '#legs/store/legs.ts'
import { newestEnds } from '#orders/store/orders.ts'
import { takeReading } from '#readings/take-reading.ts'
import { readingsOf } from '#readings/store/readings.ts'
import { marketIdOf } from '@svc/venue/rules/market-id'
import { legStandings } from '#money/leg-standings.ts'

/** Accounts that one call reads at the venue. */
const READ_NOW_MAX = 10
/** A reading of this age shows what others traded soon enough: an order is planned from a reading of its own. */
const FRESH_MS = 20_000

export const readFollowLegs: BoundHandler<Context, typeof hlLeg.operations.readFollowLegs> =
  (context) =>
  async ({ public_ids: publicIds, now }) => {
    const { pool } = context
    if (now) await readNow(context, publicIds)
    const [standings, readings] = await Promise.all([legStandings(context, publicIds), readingsOf(pool, publicIds)])
    const read = new Map(readings.map((reading) => [reading.publicId, reading]))
    return ok(200, {
      legs: standings.map(({ public_id, state, network, owner_address, ...money }): FollowLeg => {
        const { read_at, value_usdc, foreign_usdc } = money
        const funded = usdcUnits(money.delivered_usdc) > 0n
        const known = funded && value_usdc !== null && foreign_usdc !== null
        return {
          public_id,
          state: state as FollowLeg['state'],
          network,
          owner_address: owner_address as FollowLeg['owner_address'],
          read_at,
          value_usdc,
          equity_usdc: known ? usdcText(signedUnits(value_usdc) - signedUnits(foreign_usdc)) : null,
          funded,
          positions: (read.get(public_id)?.positions ?? []).map(({ coin, size, markPrice }) => ({
            market: marketIdOf(coin),
            size,
            mark_price: markPrice,
          })),
        }
      }),
    })
  }

/** Reads accounts whose stored reading is old, or began before the end of the newest order of the leg. */
async function readNow(context: Context, publicIds: readonly string[]): Promise<void> {
  const { pool, clock } = context
  const [legs, readings, ends] = await Promise.all([
    legsById(pool, publicIds),
    readingsOf(pool, publicIds),
    newestEnds(pool, publicIds),
  ])
  const began = new Map(readings.map(({ publicId, beganAt }) => [publicId, beganAt.getTime()]))
  const since = clock.now().getTime() - FRESH_MS
  const old = legs.filter(({ publicId, state }) => {
    const at = began.get(publicId) ?? Number.NEGATIVE_INFINITY
    return isLive(state) && (at < since || at <= (ends.get(publicId) ?? Number.NEGATIVE_INFINITY))
  })
  await Promise.all(old.slice(0, READ_NOW_MAX).map((leg) => takeReading(context, 'orders', leg)))
}
