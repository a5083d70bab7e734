import { ok } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import { usdcText } from '@svc/limits'
import type { BoundHandler } from '@svc/service'
import { getAddress } from 'viem'
import type { Context } from '#context.ts'
import { vaultsToMark } from '../store/vaults-to-mark.ts'

export const listVaultsToMark: BoundHandler<Context, typeof mandates.operations.listVaultsToMark> =
  ({ pool }) =>
  async ({ after, limit }) => {
    const vaults = await vaultsToMark(pool, after ?? null, limit)
    return ok(200, {
      vaults: vaults.map(({ public_id, chain_id, address, state, newest_at, newest_worth, newest_withheld }) => ({
        public_id,
        chain_id,
        vault: getAddress(address),
        state,
        newest:
          newest_at === null
            ? null
            : {
                at: newest_at,
                worth_usdc: newest_worth === null ? null : usdcText(newest_worth),
                withheld_reason: newest_withheld,
              },
      })),
    })
  }
