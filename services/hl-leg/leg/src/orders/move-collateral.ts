import { Outbound, type Resumed } from '@svc/outbound'
import type { Leg } from '#legs/store/legs.ts'
import { moveAdapter, type Mover } from './move-adapter.ts'
import type { Move } from './rules/margin.ts'
import { allMoves, collateralMoveKind, wantMove } from './store/collateral-moves.ts'

/** Pause before the job goes on with a move. */
const PAUSE_MS = 2_000
/** Longer than a step takes: two look-ups and a copy. */
export const CLAIM_MS = 10_000

const outboundOf = ({ pool, clock, log }: Mover) =>
  new Outbound({
    kind: collateralMoveKind,
    transaction: (work) => pool.transaction(work),
    clock,
    log,
    claimMs: CLAIM_MS,
    pauseMs: PAUSE_MS,
  })

/** Moves USDC between two dexes of the owner before an open; the job goes on with what is not certain then. Rejects with an outage. */
export async function moveNow(context: Mover, { publicId }: Leg, { from, to, amountUsdc }: Move): Promise<void> {
  const id = await wantMove(context.pool, { publicId, from, to }, context.clock.now())
  await outboundOf(context).drive(id, moveAdapter(context, amountUsdc), 1)
}

/** Goes on with moves that are due. Rejects with an outage. */
export async function goOnWithMoves(context: Mover, max: number): Promise<Resumed> {
  const outbound = outboundOf(context)
  await outbound.sweep()
  return outbound.resume(moveAdapter(context, null), { ...allMoves, max })
}
