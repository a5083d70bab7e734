import { sql, type Db } from '@svc/postgres'
import { z } from 'zod'
import { barCause } from '#legs/store/open-bars.ts'
import { recentForeign, recentForeignRow } from '#readings/store/ledger.ts'
import type { OrderRequest } from '../order-request.ts'
import { allowanceRow } from './allowances.ts'

const standingRow = z
  .object({
    known: z.boolean(),
    newest: z.number(),
    open: z.boolean(),
    bad_fills: z.string(),
    missed: z.number(),
    first_missed: z.string().nullable(),
    bar: barCause.nullable(),
    foreign_money: recentForeignRow.nullable(),
    allowance: allowanceRow.nullable(),
    unexplained_since: z.string().nullable(),
    money_moving: z.boolean(),
  })
  .transform((row) => ({
    /** The key or the client_id of the request has an order. */
    known: row.known,
    /** Id of the newest open; 0 before the first. */
    newest: row.newest,
    /** True while an open is judged or may be at the venue. */
    open: row.open,
    /** Cost of the agent's fills of this UTC day against the mark price. */
    badFillsUsdc: row.bad_fills,
    /** Number of opens of the last minute that executed nothing, and when the first of them was resolved. */
    missedOpens: row.missed,
    firstMissedAt: row.first_missed === null ? null : new Date(row.first_missed),
    /** Why nothing is opened; null if opens are not barred. */
    bar: row.bar,
    /** Foreign money; null before the first bind. */
    foreign: row.foreign_money,
    /** Actions that the owner's account may still send; null before the first reading. */
    allowance: row.allowance,
    /** Since when nothing explains the cash of the account; null while it is explained. */
    unexplainedSince: row.unexplained_since === null ? null : new Date(row.unexplained_since),
    /** A funding or a return of the leg is on its way. */
    moneyMoving: row.money_moving,
  }))
/** What stored rows say of a leg before an order is planned, but for one order. */
export type Standing = z.output<typeof standingRow>

/** Reads how a leg stands before an order. Payments since `since` are listed with the foreign money. */
export function readStanding(
  db: Db,
  { publicId, orderKey, clientId }: Pick<OrderRequest, 'publicId' | 'orderKey' | 'clientId'>,
  { now, since, exceptId }: { readonly now: Date; readonly since: Date; readonly exceptId: number },
): Promise<Standing> {
  const day = `${now.toISOString().slice(0, 10)}T00:00:00.000Z`
  const minute = new Date(now.getTime() - 60_000).toISOString()
  const from = minute < day ? minute : day
  const recentMiss = sql.fragment`opening AND state IN ('missed', 'rejected') AND resolved_at > ${minute}`
  // One statement, because a statement costs more than its parts, each of which is an index scan of its own.
  return db.one(sql.prepared('read_standing', standingRow)`
    SELECT
      EXISTS (SELECT FROM leg_order WHERE public_id = ${publicId} AND order_key = ${orderKey})
        OR EXISTS (SELECT FROM leg_order WHERE public_id = ${publicId} AND client_id = ${clientId}) AS known,
      coalesce((SELECT id FROM leg_order WHERE public_id = ${publicId} AND opening AND id <> ${exceptId}
        ORDER BY id DESC LIMIT 1), 0) AS newest,
      EXISTS (SELECT FROM leg_order WHERE public_id = ${publicId} AND opening AND state IN ('judging', 'signed')
        AND id <> ${exceptId}) AS open,
      pace.*,
      (SELECT cause FROM open_bar WHERE public_id = ${publicId} AND ended_at IS NULL ORDER BY cause DESC LIMIT 1) AS bar,
      (SELECT to_jsonb(one) FROM (${recentForeign(publicId, since)}) AS one) AS foreign_money,
      (SELECT to_jsonb(one) FROM (SELECT actions_left, read_at FROM venue_allowance JOIN leg
        ON venue_allowance.network = leg.network AND account = owner_address WHERE public_id = ${publicId}) AS one) AS allowance,
      (SELECT unexplained_since FROM ledger_cursor WHERE public_id = ${publicId}) AS unexplained_since,
      EXISTS (SELECT FROM transfer WHERE public_id = ${publicId} AND open AND kind NOT IN ('activation', 'refund')
        AND NOT (kind = 'return' AND state = 'planned')) AS money_moving
    FROM (
      SELECT coalesce(sum(bad_fill_usdc) FILTER (WHERE ordered_by = 'agent' AND resolved_at >= ${day}), 0) AS bad_fills,
        count(*) FILTER (WHERE ${recentMiss})::int AS missed,
        min(resolved_at) FILTER (WHERE ${recentMiss}) AS first_missed
      FROM leg_order WHERE public_id = ${publicId} AND resolved_at >= ${from}) AS pace`)
}
