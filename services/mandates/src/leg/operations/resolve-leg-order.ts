import { ok, refuse, type InputOf } from '@svc/contract'
import { mandates } from '@svc/contracts/mandates'
import { signedUnits, usdcUnits } from '@svc/contracts/common/usdc'
import { unknownMandate } from '@svc/contracts/mandates/refusals'
import { emit, type Tx } from '@svc/postgres'
import type { BoundHandler } from '@svc/service'
import { alertOwner } from '#alerts/alert-owner.ts'
import { dayUseOf, utcDayOf, type DayUse } from '#approvals/store/day-use.ts'
import { usageView } from '#approvals/usage-view.ts'
import { standing } from '#books/rules/vault.ts'
import { factsChanged } from '#mandate/facts-changed.ts'
import type { Context } from '#context.ts'
import { ownerIdOf, type Mandate } from '#mandate/rules/mandate.ts'
import { lockMandateOfAnyone } from '#mandate/store/mandates.ts'
import { appendEntry } from '#record/append-entry.ts'
import { unitsOf } from '#transfers/rules/decimal.ts'
import { giveApprovalBack } from '../give-approval-back.ts'
import { countFill, type EndedOrder } from '../rules/count-fill.ts'
import { orderEndingOf, resolve, type Reservation } from '../store/reservations.ts'

type Input = InputOf<typeof mandates.operations.resolveLegOrder>

/** Decimals of sizes as the contract allows them, above those of any venue. */
const SIZE_DECIMALS = 18

export const resolveLegOrder: BoundHandler<Context, typeof mandates.operations.resolveLegOrder> =
  (context) => async (input, call) =>
    call.effect(async (tx) => {
      const mandate = (await lockMandateOfAnyone(tx, input.public_id)) ?? refuse(unknownMandate)
      const { known, vault } = await orderEndingOf(tx, mandate.id, input.order_key)
      const ended = await end(tx, context, mandate, { input, known }, call.now)
      const use = ended ?? (await dayUseOf(tx, mandate.id, call.now))
      return ok(200, { ok: true as const, usage: usageView(mandate, standing(vault), use, call.now) })
    })

/**
 * Ends an order once: what it counts, its approval if it was missed, and its entry in the record if it was filled. Returns the
 * use of the daily cap after it; null if it must be read.
 */
async function end(
  tx: Tx,
  context: Context,
  mandate: Mandate,
  { input, known }: { readonly input: Input; readonly known: Reservation | null },
  now: Date,
): Promise<DayUse | null> {
  if (known?.outcome === 'filled' || known?.outcome === 'missed') return null
  const { resolution, violation } = countFill(known?.reserved ?? null, endedOrder(input))
  const day = utcDayOf(new Date(input.at))
  const use = await resolve(tx, mandate.id, { key: input.order_key, day, by: input.as }, resolution, now)
  const approvalId = known?.approval_id ?? null
  if (input.outcome === 'missed') {
    if (approvalId === null) return use
    await giveApprovalBack(tx, mandate, { id: approvalId, reason: 'order_missed' }, now)
    return null
  }
  // The head was read with the lock, and nothing was appended since.
  const entry = { at: now, kind: 'leg_order', source: 'venue', body: bodyOf(input, approvalId) } as const
  await appendEntry(tx, mandate, entry, mandate.record)
  await factsChanged(tx, mandate, now)
  if (violation) await announce(tx, context, mandate, input, now)
  return use
}

function endedOrder(input: Input): EndedOrder {
  const size = (text: string) => unitsOf(text, SIZE_DECIMALS) ?? 0n
  return {
    outcome: input.outcome,
    opening: input.opening,
    size: size(input.size),
    filledSize: size(input.filled_size),
    notional: usdcUnits(input.notional_usdc),
    fee: signedUnits(input.fee_usdc),
    badFill: usdcUnits(input.bad_fill_usdc),
    byAgent: input.as === 'agent',
  }
}

const bodyOf = (input: Input, approvalId: string | null) => ({
  market: input.market,
  side: input.side,
  by: input.as,
  opening: input.opening,
  cloid: input.cloid,
  oid: input.oid === null ? null : String(input.oid),
  size: input.size,
  filled_size: input.filled_size,
  average_price: input.average_price,
  amount_usdc: input.notional_usdc,
  fee_usdc: input.fee_usdc,
  bad_fill_usdc: input.bad_fill_usdc,
  filled_at: input.at,
  ...(approvalId === null ? {} : { approval_id: approvalId }),
})

/** Records a fill above what was judged, alerts the owner and publishes the violation. */
async function announce(tx: Tx, context: Context, mandate: Mandate, input: Input, now: Date): Promise<void> {
  const reason = 'leg_fill_above_judgement'
  const { market, side, cloid, notional_usdc: amount_usdc } = input
  await appendEntry(tx, mandate, {
    at: now,
    kind: 'violation',
    source: 'server',
    body: { reason, clause: null, market, side, cloid, amount_usdc },
  })
  const text = `An order of the leg of "${mandate.name}" filled ${amount_usdc} USDC (${side} ${market}), more than was judged. Look at the position in your account at the venue.`
  await alertOwner(tx, context, mandate, { kind: reason, severity: 'critical', text, about: cloid }, now)
  const parties = { public_id: mandate.publicId, owner_id: ownerIdOf(mandate) }
  await emit(tx, mandates.events.violationFound, { ...parties, reason, tx_hash: null, at: now.toISOString() })
}
