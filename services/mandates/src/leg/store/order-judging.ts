import { sql, units, type Db } from '@svc/postgres'
import { z } from 'zod'
import { vaultRow } from '#books/store/vaults.ts'
import { utcDayOf } from '#approvals/store/day-use.ts'
import { reservationJson, reservationRow } from './reservations.ts'

const judgingRow = z.object({
  vault: vaultRow.nullable(),
  terms: z.unknown(),
  terms_hash: z.string().nullable(),
  item_id: z.string().nullable(),
  held: units,
  leg_used: units,
  bad_fills: units,
  known: reservationRow.nullable(),
  lapses: z.boolean(),
})
/**
 * Stored rows that an order is judged by: the newest item of exactly this order that is open or was declined and not long
 * ago (`item_id`), what the other open items hold (`held`), what fills and the other reservations of today use, the order's own
 * reservation (`known`), and whether an open item of the mandate is past its time (`lapses`).
 */
export type OrderJudging = z.output<typeof judgingRow>

/** Returns everything stored that decides whether an order of a leg passes. The mandate must be locked to reserve by it. */
export function orderJudgingOf(
  db: Db,
  mandateId: number,
  order: { readonly key: string; readonly hash: string },
  at: Date,
): Promise<OrderJudging> {
  const now = at.toISOString()
  const day = utcDayOf(at)
  // One statement: each part is an index scan of its own.
  return db.one(sql.prepared('order_judging_of', judgingRow)`
    SELECT
      (SELECT to_jsonb(v) FROM vault v WHERE mandate_id = ${mandateId} AND canonical) AS vault,
      signed.terms, signed.terms_hash,
      (SELECT id FROM approval
        WHERE mandate_id = ${mandateId} AND call_hash = ${order.hash} AND status IN ('pending', 'approved', 'declined') AND expires_at > ${now}
        ORDER BY seq DESC LIMIT 1) AS item_id,
      (SELECT coalesce(sum(amount), 0) FROM approval
        WHERE mandate_id = ${mandateId} AND call_hash <> ${order.hash} AND status IN ('pending', 'approved') AND expires_at > ${now}) AS held,
      leg_used, bad_fills,
      ${reservationJson(mandateId, order.key)} AS known,
      EXISTS (SELECT FROM approval
        WHERE mandate_id = ${mandateId} AND status IN ('pending', 'approved') AND expires_at <= ${now}) AS lapses
    FROM (
      SELECT coalesce(sum(CASE WHEN outcome IS NULL THEN reserved ELSE used END) FILTER (WHERE order_key <> ${order.key}), 0) AS leg_used,
        coalesce(sum(bad_fill), 0) AS bad_fills
      FROM leg_reservation WHERE mandate_id = ${mandateId} AND day = ${day}) AS leg
    LEFT JOIN LATERAL (
      SELECT terms, terms_hash FROM signed_terms WHERE mandate_id = ${mandateId} ORDER BY n DESC LIMIT 1) AS signed ON true`)
}
