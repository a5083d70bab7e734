import { ok } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { noteRun } from '../store/workers.ts'

export const noteWorker: BoundHandler<Context, typeof mandates.operations.noteWorker> =
  () =>
  async ({ worker, live, every_sec }, call) =>
    call.effect(async (tx) => {
      await noteRun(tx, worker, live, every_sec, call.now)
      return ok(200, { ok: true as const })
    })
