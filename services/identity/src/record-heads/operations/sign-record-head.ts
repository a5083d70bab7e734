import { ok, refuse } from '@svc/contract'
import type { identity } from '@svc/contracts/identity'
import { headSuperseded } from '@svc/contracts/identity/record-heads'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { keepHead } from '../store/record-heads.ts'

export const signRecordHead: BoundHandler<Context, typeof identity.operations.signRecordHead> =
  ({ pool, tokens }) =>
  async ({ mandate, seq, hash, chain }, call) => {
    if (!(await keepHead(pool, { mandate, seq, hash }, call.now))) refuse(headSuperseded)
    const content = { mandate, seq, hash, chain, signed_at: call.now.toISOString() }
    return ok(200, { jws: await tokens.signDocument('record-head+json', content) })
  }
