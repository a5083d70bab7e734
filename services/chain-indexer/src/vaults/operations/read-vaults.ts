import { ok } from '@svc/contract'
import type { chainIndexer } from '@svc/contracts/chain-indexer'
import type { BoundHandler } from '@svc/service'
import { chainOfCall, type Context } from '#context.ts'
import { listVaults } from '../store/vaults.ts'
import { vaultRowOf } from '../vault-row.ts'
import { addressOf } from '#wire-values.ts'

export const readVaults: BoundHandler<Context, typeof chainIndexer.operations.readVaults> =
  (context) => async (input) => {
    const chain = chainOfCall(context)
    const vaults = await listVaults(context.pool, chain.id, {
      vaults: input.vaults?.map(addressOf) ?? null,
      owner: input.owner === undefined ? null : addressOf(input.owner),
      mandateIdHash: input.mandate_id_hash?.toLowerCase() ?? null,
      after: input.after === undefined ? '' : addressOf(input.after),
      limit: input.limit,
    })
    return ok(200, { vaults: vaults.map(vaultRowOf) })
  }
