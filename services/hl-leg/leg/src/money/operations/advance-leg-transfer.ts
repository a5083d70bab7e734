import { ok, refuse } from '@svc/contract'
import type { hlLeg } from '@svc/contracts/hl-leg'
import { transferConflict } from '@svc/contracts/hl-leg/money'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { drawNonce } from '@svc/venue/store/nonces'
import { moveMoney } from '../move-money.ts'
import { lockTransfer, noteReason, transferView } from '../store/transfers.ts'

export const advanceLegTransfer: BoundHandler<Context, typeof hlLeg.operations.advanceLegTransfer> =
  ({ settings }) =>
  async ({ transfer_id, event, tx_hash, reason }, call) =>
    call.effect(async (tx) => {
      const locked = (await lockTransfer(tx, transfer_id)) ?? refuse(transferConflict, 'No such transfer.')
      const pool = settings.poolAddress
      // The pool signs with a nonce of the time at which it may send, because the venue forgets old ones.
      const isDue = locked.kind === 'fund' && event === 'chain_seen' && locked.nonce === null
      if (isDue && pool === null) refuse(transferConflict, 'HUB_HL_TEST_POOL_ADDRESS is missing.')
      const nonce = isDue && pool !== null ? { nonce: await drawNonce(tx, pool, call.now) } : {}
      const told = { reason, txHash: tx_hash, ...nonce }
      const moved =
        (await moveMoney(tx, locked, event, told, call.now)) ??
        refuse(transferConflict, `The transfer is ${locked.state}: ${event} is not possible.`)
      if (moved === locked) await noteReason(tx, transfer_id, reason)
      return ok(200, { transfer: transferView(moved === locked ? { ...moved, reason } : moved) })
    })
