import { ok, refuse } from '@svc/contract'
import type { identity } from '@svc/contracts/identity'
import { rootDiffers } from '@svc/contracts/identity/balance-roots'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { keepRoot } from '../store/balance-roots.ts'

export const signBalanceRoot: BoundHandler<Context, typeof identity.operations.signBalanceRoot> =
  ({ pool, tokens }) =>
  async (root, call) => {
    if (!(await pool.transaction((tx) => keepRoot(tx, root, call.now)))) refuse(rootDiffers)
    const { day, accounts, root: hash, computed_at } = root
    const content = { day, accounts, root: hash, computed_at, signed_at: call.now.toISOString() }
    return ok(200, { jws: await tokens.signDocument('balance-root+json', content) })
  }
