import { ok, refuse } from '@svc/contract'
import type { hlTrade } from '@svc/contracts/hl-trade'
import { accountNotLinked, ownRefusals } from '@svc/contracts/hl-trade/account'
import { userSignedBody } from '@svc/hyperliquid'
import { callerOf, type BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { keySignature, relayStored, SERVED_MS } from '@svc/venue/wallet-action'
import { noteUsed } from '../store/order-keys.ts'
import { linkOf } from '../store/own-accounts.ts'
import { offerOf, storeBody, type OfferKind } from '../store/offers.ts'

const NEXT: Readonly<Record<OfferKind, string>> = {
  order_key: 'POST /hub/own/enable/verify reads at the venue that the key is approved.',
  builder_fee: 'POST /hub/builder-fee/record reads at the venue that the fee is approved.',
  web_key: 'Sign orders with the key of the browser: POST /hub/order answers sign_mode client.',
}

export const relayApproval: BoundHandler<Context, typeof hlTrade.operations.relayApproval> =
  (context) =>
  async ({ signature, nonce }, call) => {
    const { pool, settings, venue } = context
    const link = await linkOf(pool, settings.network, callerOf(call).account_id)
    if (link === null) refuse(accountNotLinked, undefined, { reason: 'not_linked' })
    const offer = await offerOf(pool, link.linkId, nonce)
    if (offer === null || call.now.getTime() - offer.servedAt.getTime() > SERVED_MS) refuse(ownRefusals.ownOfferStale)
    const signed = await keySignature(offer.action, signature, link.wallet)
    if (signed === 'contract' || signed === 'invalid') refuse(ownRefusals.ownSignatureInvalid)

    const body = await storeBody(pool, link.linkId, nonce, userSignedBody(offer.action, signed))
    const relayed = await relayStored(venue, { signer: link.wallet, body })
    if (relayed.kind === 'refused') {
      if (relayed.isUsedKey && offer.epoch !== null) await noteUsed(pool, link.linkId, offer.epoch, call.now)
      refuse(ownRefusals.ownActionRejected, undefined, { reason: relayed.reason })
    }
    return ok(200, { ok: true as const, kind: offer.kind, next: NEXT[offer.kind] })
  }
