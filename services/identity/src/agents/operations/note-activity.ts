import { ok } from '@svc/contract'
import type { identity } from '@svc/contracts/identity'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { noteSeen } from '../store/agents.ts'

export const noteActivity: BoundHandler<Context, typeof identity.operations.noteActivity> =
  ({ pool }) =>
  async ({ seen }, call) =>
    ok(200, { noted: await noteSeen(pool, seen, call.now) })
