import { operation, refusal } from '@svc/contract'
import { z } from 'zod'
import { legReceipt } from '../hl-leg/order-schemas.ts'

export const receiptDiffers = refusal('receipt_differs', {
  status: 409,
  title: 'Another receipt was signed',
  meaning: 'A receipt with another content was signed for this order.',
  fix: 'Send the same content: what became of an order does not change.',
})

/** Signatures of receipts of orders, made with the key that JWKS publishes. */
export const legReceiptOperations = {
  signLegReceipt: operation({
    summary: 'Sign the receipt of an order of a leg',
    description:
      'Returns a compact JWS of typ "leg-receipt+json" over the receipt with signed_at; because of the typ it never passes for an access token. An order has one receipt: another content for it is refused.',
    auth: 'service',
    callers: ['hl-leg'],
    input: z.strictObject({ receipt: legReceipt }),
    success: { 200: z.object({ jws: z.string().max(100_000) }) },
    refusals: [receiptDiffers],
  }),
} as const
