import { instant, sql, type Db } from '@svc/postgres'
import { z } from 'zod'

const ownEntry = z.object({
  public_id: z.string(),
  hash: z.string(),
  at: instant,
})
/** A payment of leg money in the venue's ledger of an account. */
export type OwnEntry = z.output<typeof ownEntry>

/** Returns the payments of leg money that the venue's ledger shows of mandates' accounts. */
export function ownEntries(db: Db, publicIds: readonly string[]): Promise<readonly OwnEntry[]> {
  return db.any(sql.type(ownEntry)`
    SELECT public_id, hash, at FROM ledger_entry
    WHERE public_id = ANY(${sql.array([...publicIds], 'text')}) AND ours`)
}
