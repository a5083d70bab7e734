import { legState } from '@svc/contracts/hl-leg/refusals'
import { sql, table, type Db, type RowOf, type Tx } from '@svc/postgres'
import { z } from 'zod'

const legs = table('leg', {
  state: legState,
  network: z.enum(['testnet', 'mainnet']),
  owner_address: z.string(),
  agent_address: z.string().nullable(),
  epoch: z.number(),
  valid_until: instantOrNull(),
  changed_at: z.string().transform((text) => new Date(text).toISOString()),
})
/** A leg as a row, or as `to_jsonb` of one. */
export const legRow = legs.row
export type Leg = RowOf<typeof legs>

const storedLegs = table('leg', { mandate_id: z.number(), ...legs.columns })
const replaceLeg = storedLegs.onConflict(['mandate_id'])

function instantOrNull() {
  return z
    .string()
    .nullable()
    .transform((text) => (text === null ? null : new Date(text).toISOString()))
}

/** Returns the leg of a mandate as hl-leg told of it last; null without one. */
export function legOf(db: Db, mandateId: number): Promise<Leg | null> {
  return db.maybeOne(sql.type(legRow)`
    SELECT ${legs.list} FROM leg WHERE mandate_id = ${mandateId}`)
}

/** Stores what hl-leg told of a leg. The mandate must be locked. */
export async function storeLeg(tx: Tx, mandateId: number, leg: Leg): Promise<void> {
  await tx.query(sql.unsafe`${storedLegs.insert({ ...leg, mandate_id: mandateId })} ${replaceLeg}`)
}

const endingRow = z.object({ mandate_id: z.number() })

/**
 * Returns mandates whose approval ends by a time and before `graceSec` after their end, and whose owners were not told of
 * that end, the earliest first.
 */
export async function legsEnding(
  db: Db,
  { kind, by, graceSec }: { readonly kind: string; readonly by: Date; readonly graceSec: number },
  max: number,
): Promise<readonly number[]> {
  const rows = await db.any(sql.type(endingRow)`
    SELECT leg.mandate_id FROM leg JOIN mandate m ON m.id = leg.mandate_id
    WHERE leg.state = 'bound' AND valid_until <= ${by.toISOString()} AND m.state <> 'closed'
      AND valid_until < m.ends_at + make_interval(secs => ${graceSec})
      AND NOT EXISTS (
        SELECT FROM alert a WHERE a.mandate_id = m.id AND a.kind = ${kind} AND a.about::timestamptz = valid_until)
    ORDER BY valid_until LIMIT ${max}`)
  return rows.map(({ mandate_id }) => mandate_id)
}
