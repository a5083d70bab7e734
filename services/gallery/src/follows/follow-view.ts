import type { FollowView, VerdictView } from '@svc/contracts/gallery/follows'
import type { Follow } from '#gaps/store/follows.ts'
import type { Verdict } from '#gaps/store/verdicts.ts'

/** Returns a follow as the API shows it. */
export const followView = (follow: Follow): FollowView => ({
  follow_id: follow.id,
  mandate_id: follow.mandateId,
  public_id: follow.mandateId,
  listing_id: follow.listingId,
  vault_id: follow.vaultId,
  network: 'testnet',
  account: follow.account,
  after_seq: follow.afterSeq,
  hired_at: follow.hiredAt,
  ended_at: follow.endedAt,
  end_reason: follow.endReason,
})

/** Returns a verdict as the API shows it: without market and side, which a reader may not have paid for. */
export const verdictView = ({ seq, kind, reason, gapBps, delayMs, decidedAt }: Verdict): VerdictView => ({
  seq,
  verdict: kind,
  reason,
  gap_bps: gapBps === null ? null : Number(gapBps),
  delay_ms: delayMs,
  decided_at: decidedAt,
})
