import { sql, type Db } from '@svc/postgres'
import { z } from 'zod'

const units = z.string().transform(BigInt)
const worthRow = z.object({
  at: z.string(),
  worth: units.nullable(),
  vault_worth: units,
  positions_worth: units.nullable(),
  leg_worth: units.nullable(),
  source: z.enum(['keeper', 'poller']),
  block_number: z.number(),
  withheld_reason: z.string().nullable(),
})
/** Worth of a mandate at a time, in USDC base units; null worth was withheld, for the reason given. */
export type WorthRow = z.output<typeof worthRow>

const columns = sql.fragment`at, worth, vault_worth, positions_worth, leg_worth, source, block_number, withheld_reason`

/** The newest mark that was not withheld. */
export function newestWorth(db: Db, mandateId: number): Promise<(WorthRow & { readonly worth: bigint }) | null> {
  return db.maybeOne(sql.type(worthRow.extend({ worth: units }))`
    SELECT ${columns} FROM worth WHERE mandate_id = ${mandateId} AND worth IS NOT NULL ORDER BY at DESC LIMIT 1`)
}
