import { headNumber, readHeader } from '@svc/chain'
import { ok, refuse } from '@svc/contract'
import { chainIndexerRefusals, type chainIndexer } from '@svc/contracts/chain-indexer'
import type { BoundHandler } from '@svc/service'
import { chainOfCall, type Context } from '#context.ts'
import { readLive } from '../read-live.ts'
import { findVaults } from '../store/vaults.ts'
import { vaultRowOf } from '../vault-row.ts'
import { addressOf } from '#wire-values.ts'

export const readVault: BoundHandler<Context, typeof chainIndexer.operations.readVault> =
  (context) => async (input) => {
    const chain = chainOfCall(context)
    const [vault] = await findVaults(context.pool, chain.id, [addressOf(input.vault)])
    if (vault?.canonical !== true) refuse(chainIndexerRefusals.unknownVault)
    const head = await readHeader(chain, await headNumber(chain))
    return ok(200, { vault: vaultRowOf(vault), live: await readLive(chain, vault, head) })
  }
