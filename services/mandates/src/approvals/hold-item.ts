import { refuse } from '@svc/contract'
import { common } from '@svc/contracts'
import { mandates } from '@svc/contracts/mandates'
import { usdcText } from '@svc/limits'
import { emit, type Tx } from '@svc/postgres'
import { alertOwner } from '#alerts/alert-owner.ts'
import { dataMember } from '#books/rules/called-data.ts'
import { appendEntry } from '#record/append-entry.ts'
import type { Context } from '#context.ts'
import { ownerIdOf, type Mandate } from '#mandate/rules/mandate.ts'
import { approvalExpiry } from './lapse-approvals.ts'
import { dayUseOf } from './store/day-use.ts'
import { insertApproval, type Approval } from './store/approvals.ts'

/** A call or an order of the leg that is to wait for the owner. */
export type NewItem = Pick<Approval, 'kind' | 'call_hash' | 'leg_order' | 'target' | 'data' | 'amount' | 'judgement'>

/** Returns the members that name an item in the record: target and calldata, or market and side of an order. */
export const namedIn = ({ target, data, leg_order }: Pick<Approval, 'target' | 'data' | 'leg_order'>) =>
  leg_order === null ? { target, ...dataMember(data) } : { market: leg_order.market, side: leg_order.side }

/** Holds an item for the owner. The mandate is locked, so that one call is one item and the maximum holds. */
export async function holdItem(
  tx: Tx,
  context: Context,
  mandate: Mandate,
  held: NewItem,
  now: Date,
): Promise<Approval> {
  const { settings, newApprovalId } = context
  const { pending } = await dayUseOf(tx, mandate.id, now)
  // No time to repeat at is named: the owner may decide in a minute, and the items would end in a day.
  if (pending >= settings.approvalMaxOpen)
    refuse(
      common.rateLimited,
      `${pending} calls wait for the owner, and at most ${settings.approvalMaxOpen} may. No further call is held until the owner decides one; GET /hub/mandates/${mandate.publicId}/approvals shows when.`,
      {
        fix: 'Ask the owner to decide a call that waits, or send calls that need no approval.',
        human_action: {
          who: 'owner',
          url: `/ui/mandates/${mandate.publicId}`,
          route: 'POST /hub/mandates/{public_id}/approvals/{approval_id}',
        },
      },
    )
  const expiresAt = approvalExpiry(settings, mandate, now)
  const item = await insertApproval(tx, { id: newApprovalId(), mandate_id: mandate.id, ...held }, now, expiresAt)
  const amount = usdcText(item.amount)
  await appendEntry(tx, mandate, {
    at: now,
    kind: 'approval_requested',
    source: 'agent',
    body: {
      approval_id: item.id,
      call_hash: item.call_hash,
      ...namedIn(item),
      amount_usdc: amount,
      expires_at: item.expires_at,
    },
  })
  const text = `The agent of "${mandate.name}" waits for your decision on ${described(item, amount)}. Approve or decline it before ${item.expires_at}.`
  await alertOwner(
    tx,
    context,
    mandate,
    { kind: 'approval_requested', severity: 'warning', text, about: item.id, endsAt: expiresAt },
    now,
  )
  await emit(tx, mandates.events.approvalRequested, {
    public_id: mandate.publicId,
    owner_id: ownerIdOf(mandate),
    approval_id: item.id,
    amount_usdc: amount,
    at: now.toISOString(),
  })
  return item
}

const described = ({ target, leg_order }: Approval, amount: string): string =>
  leg_order === null
    ? `a call of ${amount} USDC to ${target}`
    : `an order to ${leg_order.side} ${leg_order.market} for ${amount} USDC at its reference price`
