import { ok } from '@svc/contract'
import type { identity } from '@svc/contracts/identity'
import type { BoundHandler } from '@svc/service'
import { callerOf } from '@svc/service'
import type { Context } from '#context.ts'
import { listKeys as listStored } from '../store/keys.ts'

export const listKeys: BoundHandler<Context, typeof identity.operations.listKeys> =
  ({ pool }) =>
  async (_input, call) => {
    const items = await listStored(pool, callerOf(call).account_id, call.now)
    return ok(200, { items: [...items], next_cursor: null })
  }
