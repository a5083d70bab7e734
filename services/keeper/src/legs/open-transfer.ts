import { randomBytes } from 'node:crypto'
import { usdcText } from '@svc/limits'
import { RemoteRefusal } from '@svc/service'
import type { Context } from '#context.ts'

/** A transfer that a job decides to open. Base units of USDC. */
interface Decision {
  readonly job: 'legMover' | 'legReconcile'
  readonly publicId: string
  readonly kind: 'fund' | 'activation' | 'closing' | 'fallback' | 'refund'
  readonly amount: bigint
  /** Leg money in the newest mark that was sent; null without one. */
  readonly marked?: bigint | null
  /** Vault and chain; null for a transfer at the venue alone. */
  readonly place: { readonly vault: string; readonly chainId: number } | null
}

/** Stores a decision at hl-leg, or logs it in a dry run. Returns true if it was stored. */
export async function openTransfer({ ask, log, settings }: Context, decision: Decision): Promise<boolean> {
  const { job, publicId, kind, amount, place, marked = null } = decision
  const dry = job === 'legMover' ? settings.moverDryRun : settings.reconcileDryRun
  const line = { job, dry, do: kind, public_id: publicId, amount_usdc: usdcText(amount) }
  if (dry) {
    log.info(line, 'dry run: this transfer would be opened')
    return false
  }
  try {
    await ask.legs.openLegTransfer({
      transfer_id: `ltr_${randomBytes(16).toString('hex')}`,
      public_id: publicId,
      kind,
      vault: place?.vault ?? null,
      chain_id: place?.chainId ?? null,
      amount_usdc: usdcText(amount),
      marked_usdc: marked === null ? null : usdcText(marked),
    })
  } catch (error) {
    if (!(error instanceof RemoteRefusal)) throw error
    log.warn({ ...line, err: error }, 'transfer not opened: hl-leg knows more')
    return false
  }
  log.info(line, 'transfer of leg money decided')
  return true
}
