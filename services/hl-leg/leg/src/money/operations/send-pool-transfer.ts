import { ok, refuse } from '@svc/contract'
import type { hlLeg } from '@svc/contracts/hl-leg'
import { transferConflict } from '@svc/contracts/hl-leg/money'
import { normalizeSignature, signerOf, usdSend, userSignedBody } from '@svc/hyperliquid'
import { usdcText } from '@svc/limits'
import type { BoundHandler } from '@svc/service'
import { z } from 'zod'
import type { Context } from '#context.ts'
import { isPoolSend } from '../rules/transfer-state.ts'
import { sendTransfer } from '../send-transfer.ts'
import { findTransfer, transferView, type Transfer } from '../store/transfers.ts'

const signedBody = z.object({
  action: z.object({ signatureChainId: z.string().regex(/^0x[0-9a-f]{1,13}$/) }),
  signature: z.unknown(),
})

export const sendPoolTransfer: BoundHandler<Context, typeof hlLeg.operations.sendPoolTransfer> =
  (context) =>
  async ({ transfer_id, body }) => {
    const found = (await findTransfer(context.pool, transfer_id)) ?? refuse(transferConflict, 'No such transfer.')
    if (!isPoolSend(found.kind)) refuse(transferConflict, `The pool does not send a transfer of kind ${found.kind}.`)
    if (found.body === null) await requireOwnBytes(context, found, body)
    const deny = ({ state }: Transfer) =>
      refuse(transferConflict, `The transfer is ${state}: the pool may not send it.`)
    return ok(200, { transfer: transferView(await sendTransfer(context, found, { body, deny })) })
  }

/** Refuses bytes that are not exactly the pool's transfer of this row: they would be relayed as they are. */
async function requireOwnBytes({ settings }: Context, row: Transfer, body: string): Promise<void> {
  const pool = settings.poolAddress?.toLowerCase()
  const parsed = signedBody.safeParse(jsonOf(body))
  if (!parsed.success || pool === undefined || row.nonce === null) refuse(transferConflict, 'The bytes cannot be read.')
  const { action: given, signature: made } = parsed.data
  const scope = { network: row.network, signatureChainId: Number(given.signatureChainId), nonce: row.nonce }
  const action = usdSend(scope, { destination: row.owner_address, amountUsdc: usdcText(row.amount) })
  const signature = normalizeSignature(made)
  if (signature === null || userSignedBody(action, signature) !== body)
    refuse(transferConflict, 'The bytes are not those of this transfer.')
  if ((await signerOf(action, signature))?.toLowerCase() !== pool)
    refuse(transferConflict, 'The pool did not sign these bytes.')
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
