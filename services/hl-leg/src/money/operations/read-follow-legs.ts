import { ok } from '@svc/contract'
import type { hlLeg } from '@svc/contracts/hl-leg'
import type { FollowLeg } from '@svc/contracts/hl-leg/follows'
import { signedUnits, usdcUnits } from '@svc/contracts/common/usdc'
import { signedUsdcText } from '@svc/limits'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { isLive } from '#legs/rules/standing.ts'
import { legsById } from '#legs/store/legs.ts'
import { takeReading } from '#readings/take-reading.ts'
import { readingsOf } from '#readings/store/readings.ts'
import { marketIdOf } from '#venue/rules/market-id.ts'
import { legStandings } from '../leg-standings.ts'

/** Accounts that one call reads at the venue. */
const READ_NOW_MAX = 10

export const readFollowLegs: BoundHandler<Context, typeof hlLeg.operations.readFollowLegs> =
  (context) =>
  async ({ public_ids: publicIds, now }) => {
    const { pool } = context
    if (now) {
      const legs = (await legsById(pool, publicIds)).filter(({ state }) => isLive(state))
      await Promise.all(legs.slice(0, READ_NOW_MAX).map((leg) => takeReading(context, 'orders', leg)))
    }
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
          equity_usdc: known ? signedUsdcText(signedUnits(value_usdc) - signedUnits(foreign_usdc)) : null,
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
