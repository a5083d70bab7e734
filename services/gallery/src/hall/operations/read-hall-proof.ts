import { ok } from '@svc/contract'
import type { gallery } from '@svc/contracts/gallery'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { proofView, snapshotOf } from '../hall-view.ts'
import { readProof } from '../store/pages.ts'

export const readHallProof: BoundHandler<Context, typeof gallery.operations.readHallProof> = (context) => async () => {
  const stored = await readProof(context.pool)
  return ok(200, { ...snapshotOf(stored?.computed_at ?? null, context), ...proofView(stored?.proof) })
}
