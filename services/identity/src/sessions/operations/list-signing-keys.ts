import { ok } from '@svc/contract'
import type { identity } from '@svc/contracts/identity'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'

export const listSigningKeys: BoundHandler<Context, typeof identity.operations.listSigningKeys> =
  ({ tokens }) =>
  async () =>
    ok(200, { keys: [...tokens.jwks] })
