import { ok } from '@svc/contract'
import type { identity } from '@svc/contracts/identity'
import type { BoundHandler } from '@svc/service'
import type { Context } from '../context.ts'

export const signRecordHead: BoundHandler<Context, typeof identity.operations.signRecordHead> =
  ({ tokens }) =>
  async ({ mandate, seq, hash }) =>
    ok(200, { jws: await tokens.signDocument('record-head+json', { mandate, seq, hash }) })
