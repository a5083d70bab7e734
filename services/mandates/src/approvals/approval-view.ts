import { usdcText } from '@svc/limits'
import type { Approval } from './store/approvals.ts'
import type { ApprovalItem } from '@svc/contracts/mandates/approvals'

const REASONS = {
  declined: 'owner_declined',
  used: 'executed',
  expired: 'expired',
  pending: null,
  approved: null,
} as const

/** Returns a held item as the API shows it; an open one past its time is shown as expired. */
export function approvalView(publicId: string, item: Approval, now: Date): ApprovalItem {
  const open = item.status === 'pending' || item.status === 'approved'
  const status = open && Date.parse(item.expires_at) <= now.getTime() ? 'expired' : item.status
  return {
    approval_id: item.id,
    public_id: publicId,
    status,
    kind: item.kind,
    target: item.target,
    data: item.data,
    order: item.leg_order,
    amount_usdc: usdcText(item.amount),
    call_hash: item.call_hash,
    judgement: item.judgement,
    reason: REASONS[status],
    requested_at: item.requested_at,
    expires_at: item.expires_at,
    decided_at: item.decided_at,
    used_tx_hash: item.used_tx,
  }
}
