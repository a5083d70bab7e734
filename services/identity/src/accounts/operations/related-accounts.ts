import { ok } from '@svc/contract'
import type { identity } from '@svc/contracts/identity'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { relatedAccounts as relatedStored } from '../store/accounts.ts'

export const relatedAccounts: BoundHandler<Context, typeof identity.operations.relatedAccounts> =
  ({ pool }) =>
  async ({ account_id }) =>
    ok(200, { account_ids: [...(await relatedStored(pool, account_id))] })
