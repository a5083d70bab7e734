import { ok } from '@svc/contract'
import type { identity } from '@svc/contracts/identity'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { checksummed } from '#wallets/rules/wallet-address.ts'
import { agentsOfWallets } from '../store/agents.ts'

export const findAgentsByWallet: BoundHandler<Context, typeof identity.operations.findAgentsByWallet> =
  ({ pool }) =>
  async ({ wallets }) => {
    const rows = await agentsOfWallets(
      pool,
      wallets.map((wallet) => wallet.toLowerCase()),
    )
    return ok(200, { agents: rows.map((row) => ({ ...row, wallet: checksummed(row.wallet) })) })
  }
