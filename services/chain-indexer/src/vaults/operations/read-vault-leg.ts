import { headNumber, read } from '@svc/chain'
import { ok, refuse } from '@svc/contract'
import { chainIndexerRefusals, type chainIndexer } from '@svc/contracts/chain-indexer'
import type { BoundHandler } from '@svc/service'
import { chainOfCall, type Context } from '#context.ts'
import { addressOf } from '#wire-values.ts'
import { findVaults } from '../store/vaults.ts'

export const readVaultLeg: BoundHandler<Context, typeof chainIndexer.operations.readVaultLeg> =
  (context) => async (input) => {
    const chain = chainOfCall(context)
    const vault = addressOf(input.vault)
    const [known] = await findVaults(context.pool, chain.id, [vault])
    if (known?.canonical !== true || known.version !== 2) refuse(chainIndexerRefusals.unknownVault)
    const blockNumber = await headNumber(chain)
    const views = read(chain).vaultV2(vault)
    const [open, seq, out] = await Promise.all([
      views.legOpen({ blockNumber }),
      views.legSeq({ blockNumber }),
      views.legOut({ blockNumber }),
    ])
    return ok(200, { block_number: Number(blockNumber), open, seq: String(seq), out: String(out) })
  }
