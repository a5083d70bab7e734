import { vaultRow } from '#books/store/vaults.ts'
import { mandateOf, mandates } from '#mandate/store/mandates.ts'
import { sql, units, type Db } from '@svc/postgres'

const legRow = mandates.row
  .extend({
    vault: vaultRow,
    held: units,
    marked_leg: units.nullable(),
  })
  .transform(({ vault, held, marked_leg, ...mandate }) => ({ mandate: mandateOf(mandate), vault, held, marked_leg }))

/**
 * Returns the mandates whose vault funds a leg, in their order, with what their held calls need and the leg money of
 * their newest mark. A leg stays open for a while
 * after a settlement that did not wait for its money, so a closed mandate is included until its leg is closed.
 */
export function legsToMove(db: Db, after: string | null, limit: number, now: Date) {
  const page =
    after === null ? sql.fragment`` : sql.fragment`AND id > (SELECT id FROM mandate WHERE public_id = ${after})`
  return db.any(sql.type(legRow)`
    SELECT ${mandates.list}, to_jsonb(v) AS vault, (
      SELECT coalesce(sum(amount), 0) FROM approval
      WHERE mandate_id = mandate.id AND kind = 'call' AND status IN ('pending', 'approved') AND expires_at > ${now.toISOString()})::text AS held, (
      SELECT leg_worth::text FROM worth
      WHERE mandate_id = mandate.id AND worth IS NOT NULL AND leg_worth IS NOT NULL ORDER BY at DESC LIMIT 1) AS marked_leg
    FROM mandate CROSS JOIN LATERAL (
      SELECT * FROM vault WHERE mandate_id = mandate.id AND canonical AND version = 2) v
    WHERE hl_leg AND (state <> 'closed' OR (v.books->>'legOpen')::boolean) ${page}
    ORDER BY id LIMIT ${limit}`)
}
