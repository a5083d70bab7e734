import type { Context } from '#context.ts'
import type { Leg } from '#legs/store/legs.ts'
import { usdcUnitsDown } from '@svc/venue/rules/usdc-units'
import { hasPosition } from '@svc/venue/rules/reading'
import type { WeightClass } from '@svc/venue/rules/weights'
import { readHistory } from '#readings/read-history.ts'
import { readLedger } from '#readings/read-ledger.ts'
import { ledgerCursor, ledgerEntries } from '#readings/store/ledger.ts'
import { takeReading } from '#readings/take-reading.ts'
import { debtPaid } from './leg-standings.ts'
import { explain } from './rules/explain.ts'
import { venueTotals } from './rules/venue-totals.ts'
import { storeExplanation, type Explanation } from './store/explanations.ts'
import { paymentsOf } from './store/pool-payments.ts'
import { transfersOf } from './store/transfers.ts'

/**
 * Reads an account, compares its value with what its payments and trades since the bind make of it, and stores that. Compares
 * twice if they differ, because money may arrive between two answers of the venue. Returns null if the history cannot be read
 * whole. Rejects with an outage.
 */
export async function explainNow(context: Context, by: WeightClass, leg: Leg): Promise<Explanation | null> {
  const first = await explainLeg(context, by, leg)
  const one = first?.holds === false ? await explainLeg(context, by, leg) : first
  if (one !== null) await storeExplanation(context.pool, one)
  return one
}

async function explainLeg(context: Context, by: WeightClass, leg: Leg): Promise<Explanation | null> {
  const { pool } = context
  if (leg.boundAt === null) return null
  const account = { publicId: leg.publicId, owner: leg.owner }
  const reading = await takeReading(context, by, account)
  // Payments that cancel each other out leave the cash as it was, and are entries all the same.
  await readLedger(context, by, account)
  const cursor = await ledgerCursor(pool, leg.publicId)
  const span = { since: leg.boundAt.getTime(), until: reading.readAt.getTime() }
  const history = await readHistory(context, by, leg.owner, span)
  if (cursor === null || history === null) return null
  const entries = await ledgerEntries(pool, leg.publicId, new Date(0))
  const foreign = entries
    .filter(({ ours, at }) => !ours && at <= reading.readAt)
    .reduce((sum, { effect }) => sum + usdcUnitsDown(effect), usdcUnitsDown(cursor.base))
  const rows = await transfersOf(pool, [leg.publicId])
  const totals = venueTotals(
    rows.map(({ kind, amount, venue_at }) => ({ kind, amount, venueAt: venue_at?.getTime() ?? null })),
    reading.readAt.getTime(),
  )
  const paid = debtPaid(await paymentsOf(pool, [leg.publicId]), reading.readAt)
  const value = usdcUnitsDown(reading.accountValue)
  const unrealized = reading.positions.map(({ unrealizedPnl }) => unrealizedPnl)
  const { expected, holds } = explain(
    { value, foreign, delivered: totals.delivered, left: totals.left + paid },
    { ...history, unrealized },
  )
  return {
    public_id: leg.publicId,
    read_at: reading.readAt,
    value,
    foreign_money: foreign,
    expected,
    holds,
    flat: !hasPosition(reading),
  }
}
