import { ok } from '@svc/contract'
import type { identity } from '@svc/contracts/identity'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { checksummed } from '#wallets/rules/wallet-address.ts'
import { getAccounts as getStored } from '../store/accounts.ts'

export const getAccounts: BoundHandler<Context, typeof identity.operations.getAccounts> =
  ({ pool }) =>
  async ({ account_ids }) => {
    const rows = await getStored(pool, account_ids)
    const byId = new Map(rows.map((row) => [row.account_id, { ...row, wallet: checksummed(row.wallet) }]))
    return ok(200, { accounts: account_ids.map((id) => byId.get(id) ?? null) })
  }
