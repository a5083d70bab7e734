import { createHash } from 'node:crypto'
import { ok, refuse } from '@svc/contract'
import type { identity } from '@svc/contracts/identity'
import { receiptDiffers } from '@svc/contracts/identity/leg-receipts'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { keepReceipt } from '../store/leg-receipts.ts'

export const signLegReceipt: BoundHandler<Context, typeof identity.operations.signLegReceipt> =
  ({ pool, tokens }) =>
  async ({ receipt }, call) => {
    const { mandate, cloid } = receipt
    // The schema writes the members in its own order, so the same content has the same text.
    const hash = createHash('sha256').update(JSON.stringify(receipt)).digest('hex')
    if (!(await keepReceipt(pool, { mandate, cloid, hash }, call.now))) refuse(receiptDiffers)
    const content = { ...receipt, signed_at: call.now.toISOString() }
    return ok(200, { jws: await tokens.signDocument('leg-receipt+json', content) })
  }
