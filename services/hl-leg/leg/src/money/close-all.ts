import type { Context } from '#context.ts'
import type { Leg } from '#legs/store/legs.ts'
import { moveNow } from '#orders/move-collateral.ts'
import { readScene } from '#orders/read-scene.ts'
import { bandOf, centreOf, worstOf } from '@svc/venue/rules/band'
import { homeMove } from '#orders/rules/margin.ts'
import { sendClose } from '#orders/send-close.ts'
import { readAccount } from '#readings/read-account.ts'
import { takeReading } from '#readings/take-reading.ts'
import type { Position, Reading } from '@svc/venue/rules/reading'
import { marketIdOf } from '@svc/venue/rules/market-id'

/** Requests that one close may take, so that a lost answer is asked for again. */
const STEPS = 3

/**
 * Closes every position of a leg, brings the collateral of other dexes home, and returns the account as it is then. A leg
 * whose key may not sign is only read. What is read after a close or a move is stored, so that nobody is shown a position that is
 * closed. Rejects with an outage.
 */
export async function closeAll(context: Context, leg: Leg): Promise<Reading> {
  const first = await readAccount(context, 'closes', leg.owner)
  if (leg.state !== 'bound') return first
  for (const position of first.positions) await closeOne(context, leg, position)
  const second = first.positions.length === 0 ? first : await takeReading(context, 'closes', leg)
  const moves = second.dexes.flatMap(({ dex, withdrawable }) => {
    const positions = second.positions.filter((one) => one.dex === dex).length
    return homeMove(dex, positions, withdrawable) ?? []
  })
  for (const move of moves) await moveNow(context, leg, move)
  return moves.length === 0 ? second : takeReading(context, 'closes', leg)
}

async function closeOne(context: Context, leg: Leg, position: Position): Promise<void> {
  const scene = await readScene(context, leg, marketIdOf(position.coin), true)
  if (scene === null || scene.position === null) return
  const band = bandOf(context.settings.slippagePct, null)
  const side = scene.position.size.startsWith('-') ? 'buy' : 'sell'
  const worstPrice = worstOf(centreOf(scene.prices, band), side, band, scene.market.sizeDecimals)
  if (worstPrice === null) return
  const { market, reading } = scene
  await sendClose(context, { leg, by: 'return', position: scene.position, market, worstPrice, reading }, STEPS)
}
