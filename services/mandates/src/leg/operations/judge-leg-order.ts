import { ok, refuse } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import type { LegOrderRequest } from '@svc/contracts/mandates/approvals'
import { unknownMandate } from '@svc/contracts/mandates/refusals'
import type { RefusalBlockView } from '@svc/contracts/mandates/verdict'
import { nobody, usdcText } from '@svc/limits'
import type { Db, Tx } from '@svc/postgres'
import type { BoundHandler, Call } from '@svc/service'
import { approvalView } from '#approvals/approval-view.ts'
import { holdItem, type NewItem } from '#approvals/hold-item.ts'
import { endItem, lapseOf } from '#approvals/lapse-approvals.ts'
import { openItemOf, readApproval, useForOrder, type Approval } from '#approvals/store/approvals.ts'
import { dayUseOf, utcDayOf, type DayUse } from '#approvals/store/day-use.ts'
import { usageView } from '#approvals/usage-view.ts'
import { factsChanged } from '#mandate/facts-changed.ts'
import type { Context } from '#context.ts'
import { findMandate, lockMandate } from '#mandate/store/mandates.ts'
import type { Mandate } from '#mandate/rules/mandate.ts'
import { appendEntry } from '#record/append-entry.ts'
import { insertRefusal, refusedSince } from '#record/store/refusals.ts'
import { judgeOrder, type AskedOrder, type JudgedOrder } from '../judge-order.ts'
import { giveApprovalBack } from '../give-approval-back.ts'
import { legPartyOf } from '../leg-party.ts'
import { endsRepetition } from '../rules/repetition.ts'
import { reserve, withdraw, type Reservation } from '../store/reservations.ts'

/** An order refused again for the same reason within this time is recorded once. */
const REPEAT_MS = 60_000

/** How an order is answered; without `use` the use of the daily cap is not read yet. */
interface Verdict {
  readonly outcome: 'passes' | 'held' | 'refused'
  readonly judged: JudgedOrder
  readonly block?: RefusalBlockView
  readonly item?: Approval | null
  readonly use?: DayUse
}

export const judgeLegOrder: BoundHandler<Context, typeof mandates.operations.judgeLegOrder> =
  (context) => async (order, call) => {
    if (order.dry_run || !order.opening) {
      const seen = await findMandate(context.pool, order.public_id, legPartyOf(order), call.now)
      if (seen === null || seen.owner === null) refuse(unknownMandate)
      const judged = await judgeOrder(context.pool, context, seen, { order, now: call.now })
      // An order that closes waits for no lock, since it reserves nothing.
      if (order.dry_run || judged.block.kind === null)
        return answer(context.pool, seen, { outcome: outcomeOf(judged), judged }, call)
    }
    return call.effect(async (tx) => {
      const mandate = await lockMandate(tx, order.public_id, legPartyOf(order), call.now)
      if (mandate === null || mandate.owner === null) refuse(unknownMandate)
      return answer(tx, mandate, await settle(tx, context, mandate, order, call.now), call)
    })
  }

/** Judges an order under the mandate's lock, and reserves its amount, holds it or records its refusal. */
async function settle(tx: Tx, context: Context, mandate: Mandate, order: AskedOrder, now: Date): Promise<Verdict> {
  const judged = await judgeOrder(tx, context, mandate, { order, now })
  const { known } = judged
  // What is past its time holds nothing any more; its entry comes before that of the order.
  if (judged.lapses) await lapseOf(tx, mandate, now)
  if (known !== null && known.judgement !== null && !endsRepetition(known, judged))
    return { outcome: 'passes', judged, block: known.judgement, item: await usedBy(tx, mandate, known) }
  const outcome = outcomeOf(judged)
  if (outcome === 'passes')
    return order.opening
      ? { outcome, judged, ...(await reserveFor(tx, mandate, { order, judged, known }, now)) }
      : { outcome, judged, item: null }
  // hl-leg sends nothing for an order that does not pass, so that what it reserved before is free again.
  if (known?.outcome === null) await giveUp(tx, mandate, known, now)
  if (outcome === 'held') {
    const item = await waitingItem(tx, context, mandate, heldOrder(order.request, judged), now)
    return { outcome, judged: await judgeOrder(tx, context, mandate, { order, now, asNew: true }), item }
  }
  await recordRefusal(tx, mandate, order, judged, now)
  return { outcome, judged }
}

const outcomeOf = ({ block }: JudgedOrder): Verdict['outcome'] =>
  block.kind === null ? 'passes' : block.code === 'approval_required' ? 'held' : 'refused'

const usedBy = (tx: Tx, mandate: Mandate, { approval_id }: Reservation): Promise<Approval | null> | null =>
  approval_id === null ? null : readApproval(tx, mandate.id, approval_id)

/** Reserves the notional on the present day, and uses the approval if the order needs one. */
async function reserveFor(
  tx: Tx,
  mandate: Mandate,
  { order, judged, known }: { order: AskedOrder; judged: JudgedOrder; known: Reservation | null },
  now: Date,
): Promise<{ readonly item: Approval | null; readonly use: DayUse }> {
  const { item, notional, block } = judged
  const granted = item?.status === 'approved' && (await useForOrder(tx, item.id, order.order_key)) ? item.id : null
  const approvalId = granted ?? known?.approval_id ?? null
  const row = { order_key: order.order_key, day: utcDayOf(now), reserved: notional, approval_id: approvalId }
  const use = await reserve(tx, mandate.id, { ...row, judgement: block }, now)
  if (granted !== null)
    await appendEntry(tx, mandate, {
      at: now,
      kind: 'approval_used',
      source: 'server',
      body: { approval_id: granted, market: order.market, side: order.side, amount_usdc: usdcText(notional) },
    })
  return { item: approvalId === null ? null : await readApproval(tx, mandate.id, approvalId), use }
}

/** Frees what a repeated order had reserved before it was refused. */
async function giveUp(tx: Tx, mandate: Mandate, { order_key, approval_id }: Reservation, now: Date): Promise<void> {
  await withdraw(tx, mandate.id, order_key, now)
  if (approval_id !== null) await giveApprovalBack(tx, mandate, { id: approval_id, reason: 'order_refused' }, now)
}

/** Returns the item of an order that waits for the owner. A new one takes the place of an approval that does not cover it. */
async function waitingItem(tx: Tx, context: Context, mandate: Mandate, held: NewItem, now: Date): Promise<Approval> {
  const known = await openItemOf(tx, mandate.id, held.call_hash, now)
  if (known?.status === 'pending') return known
  if (known !== null) await endItem(tx, mandate, known, now)
  return holdItem(tx, context, mandate, held, now)
}

const heldOrder = (request: LegOrderRequest, { hash, notional, block }: JudgedOrder): NewItem => ({
  judgement: block,
  kind: 'leg_order',
  call_hash: hash,
  leg_order: request,
  target: nobody,
  data: '0x',
  amount: notional,
})

async function recordRefusal(
  tx: Tx,
  mandate: Mandate,
  order: AskedOrder,
  { block, hash }: JudgedOrder,
  now: Date,
): Promise<void> {
  const kind = block.kind ?? 'server_guard'
  const code = block.code ?? 'server_guard'
  if (await refusedSince(tx, mandate.id, hash, code, new Date(now.getTime() - REPEAT_MS))) return
  const { source } = block
  await insertRefusal(tx, { mandateId: mandate.id, kind, code, source, txHash: null, callHash: hash, at: now })
  await factsChanged(tx, mandate, now)
  const { market, side, notional_usdc: amount_usdc } = order
  await appendEntry(tx, mandate, {
    at: now,
    kind: 'refused',
    source: 'server',
    body: { kind, code, clause: block.clause, market, side, amount_usdc },
  })
}

/** Returns the item that a judgement without any effect shows: the one that waits, or the one that the order would use. */
function itemOf(outcome: Verdict['outcome'], { item }: JudgedOrder): Approval | null {
  const shown = outcome === 'held' ? 'pending' : outcome === 'passes' ? 'approved' : null
  return item?.status === shown ? item : null
}

/** Answers with the usage as it is after the judgement. */
async function answer(db: Db, mandate: Mandate, { outcome, judged, block, item, use }: Verdict, { now }: Call) {
  const shown = item === undefined ? itemOf(outcome, judged) : item
  return ok(200, {
    outcome,
    judgement: block ?? judged.block,
    approval: shown === null ? null : approvalView(mandate.publicId, shown, now),
    usage: usageView(mandate, judged.vault, use ?? (await dayUseOf(db, mandate.id, now)), now),
    terms_hash: judged.termsHash,
  })
}
