import { assessOrder, codeOf, orderBlock, usageAt, type OrderAssessment } from '@svc/limits'
import type { InputOf } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import { usdcUnits } from '@svc/contracts/common/usdc'
import type { RefusalBlockView } from '@svc/contracts/mandates/verdict'
import type { Db } from '@svc/postgres'
import { coveredBy, orderHash } from '#approvals/rules/held-order.ts'
import { declinedBlock } from '#approvals/declined-block.ts'
import { readApproval, type Approval } from '#approvals/store/approvals.ts'
import type { Context } from '#context.ts'
import { secondsOf, termsFromLimits, termsFromSigned } from '#limits/engine-terms.ts'
import { signedFigures } from '#limits/terms-of-mandate.ts'
import type { Mandate } from '#mandate/rules/mandate.ts'
import { stateNow } from '#states/mandate-view.ts'
import type { Vault } from '#books/rules/vault.ts'
import { badFillsFinding, withGuard } from './rules/guards.ts'
import { isPaused, stopOf } from './rules/stop-of.ts'
import { orderJudgingOf } from './store/order-judging.ts'
import type { Reservation } from './store/reservations.ts'

/** An order as hl-leg asks about it. */
export type AskedOrder = InputOf<typeof mandates.operations.judgeLegOrder>

/** An order with its judgement and the rows behind it. */
export interface JudgedOrder {
  readonly hash: string
  readonly notional: bigint
  readonly vault: Vault | null
  readonly termsHash: string | null
  readonly assessment: OrderAssessment
  /** The item held for exactly this order, pending, approved or declined; null without one. */
  readonly item: Approval | null
  /** The order's own reservation; null without one. */
  readonly known: Reservation | null
  /** An open item of the mandate is past its time. */
  readonly lapses: boolean
  readonly block: RefusalBlockView
}

/** Judges an order of a leg by stored rows and what hl-leg read at the venue; as a new one, whatever was reserved for it, on wish. */
export async function judgeOrder(
  db: Db,
  { settings }: Pick<Context, 'settings'>,
  mandate: Mandate,
  { order, now, asNew = false }: { readonly order: AskedOrder; readonly now: Date; readonly asNew?: boolean },
): Promise<JudgedOrder> {
  const hash = orderHash(mandate.publicId, order.request)
  const stored = await orderJudgingOf(db, mandate.id, { key: order.order_key, hash }, now)
  const { vault, lapses } = stored
  const known = asNew ? null : stored.known
  const terms = termsFromSigned(stored.terms, settings.approvalEnabled) ?? termsFromLimits(mandate)
  const itemId = stored.item_id ?? (known?.outcome === null ? known.approval_id : null)
  const item = itemId === null ? null : await readApproval(db, mandate.id, itemId)
  const at = secondsOf(now)
  const pulled = vault === null ? 0n : usageAt(terms, vault.books, at).used
  const notional = usdcUnits(order.notional_usdc)
  const byAgent = order.as === 'agent'
  const assessment = assessOrder(
    terms,
    {
      working: stateNow(mandate, vault, now) === 'working',
      paused: isPaused(mandate, vault),
      stop: stopOf(mandate, vault),
      markets: stored.terms === null ? [] : signedFigures({ terms: stored.terms }).markets.map(({ id }) => id),
      used: pulled + stored.leg_used,
      held: stored.held,
      own: item?.status === 'pending' || item?.status === 'approved' ? item.amount : 0n,
      approvedUpTo: item?.status === 'approved' || item?.status === 'used' ? coveredBy(item.amount) : null,
      worth: order.worth_low_usdc === null ? null : usdcUnits(order.worth_low_usdc),
      guards: withGuard(order.guards, byAgent ? badFillsFinding(terms.budget, stored.bad_fills) : null),
    },
    { by: order.as, market: order.market, opening: order.opening, notional, loss: usdcUnits(order.loss_usdc), at },
  )
  const block = orderBlock(assessment) as RefusalBlockView
  const code = codeOf(assessment.refusal)
  const declined = order.opening && item?.status === 'declined' && (code === null || code === 'approval_required')
  return {
    hash,
    notional,
    vault,
    termsHash: stored.terms_hash,
    assessment,
    item,
    known,
    lapses,
    block: declined ? declinedBlock(block, 'order', item.expires_at) : block,
  }
}
