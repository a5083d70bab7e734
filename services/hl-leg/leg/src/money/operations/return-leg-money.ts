import { ok, refuse } from '@svc/contract'
import type { hlLeg } from '@svc/contracts/hl-leg'
import { returnRefused, returnVoid, signatureInvalid } from '@svc/contracts/hl-leg/money'
import { normalizeSignature, signerOf, userSignedBody, type UserSignedAction } from '@svc/hyperliquid'
import { usdcText } from '@svc/limits'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { requireOpenOnChain } from '../chain-leg.ts'
import { mandateOf, requireFunding, requireOver } from '../mandate-of.ts'
import { sendTransfer } from '../send-transfer.ts'
import { findReturn, type Transfer } from '../store/transfers.ts'

export const returnLegMoney: BoundHandler<Context, typeof hlLeg.operations.returnLegMoney> =
  (context) =>
  async ({ public_id, nonce, signature }, call) => {
    requireFunding(context)
    requireOver(await mandateOf(context, public_id, call))
    const row = await findReturn(context.pool, public_id, nonce)
    if (row === null || row.venue === 'void') refuse(returnVoid)
    const body = await signedBody(row, signature)
    // Bytes that are out may be executed anyway; others would bring money that no vault credits.
    if (row.body === null && row.vault !== null) await requireOpenOnChain(context, row.vault)
    if (call.isDryRun) return ok(200, { ...sentView(row), dry_run: true as const })
    // Bytes that were sent before are sent again as they are, whatever form the signature has now.
    const sent = await sendTransfer(context, row, { body, deny: () => refuse(returnVoid) })
    if (sent.venue === 'refused') refuse(returnRefused, undefined, { reason: sent.reason ?? 'unknown' })
    return ok(200, sentView(sent))
  }

const sentView = ({ transfer_id, state, amount, venue_hash }: Transfer) => ({
  ok: true as const,
  transfer_id,
  state,
  amount_usdc: usdcText(amount),
  venue_hash,
})

/** Returns the body of exactly the action that was handed out, if the owner signed it; the strings hash as they stand. */
async function signedBody({ action, owner_address }: Transfer, given: unknown): Promise<string> {
  const signature = normalizeSignature(given)
  if (signature === null || action === null)
    refuse(signatureInvalid, 'signature is neither 65 bytes in hex nor {r, s, v}.')
  const stored = action as unknown as UserSignedAction
  const signer = await signerOf(stored, signature)
  if (signer?.toLowerCase() !== owner_address)
    refuse(signatureInvalid, 'signature was made by another wallet, or over other typed data than that of this nonce.')
  return userSignedBody(stored, signature)
}
