import {
  ARBITRAGE_MAX,
  arbitrageMulti,
  arbitragePair,
  assetConflict,
  reelItem,
} from '@svc/contracts/market-data/arbitrage'
import { sql, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'

/** Result of one pass. */
const passResult = z.object({
  two: z.array(arbitragePair).max(ARBITRAGE_MAX.two),
  reel: z.array(reelItem).max(ARBITRAGE_MAX.reel),
  multi: z.array(arbitrageMulti).max(ARBITRAGE_MAX.multi),
  conflicts_total: z.int().min(0),
})
export type PassResult = z.output<typeof passResult>

const passConflicts = z.array(assetConflict).max(ARBITRAGE_MAX.conflicts)
export type Conflict = z.output<typeof assetConflict>

const passRow = z.object({ minute: z.string(), computed_at: z.string(), result: z.json() })
export interface Pass {
  readonly minute: string
  readonly computed_at: string
  readonly result: PassResult
}

/** Returns the newest pass; null before the first. */
export async function newestPass(db: Db): Promise<Pass | null> {
  const row = await db.maybeOne(sql.type(passRow)`
    SELECT minute, computed_at, result FROM arbitrage_pass ORDER BY minute DESC LIMIT 1`)
  // It was validated when it was written.
  return row === null ? null : { ...row, result: row.result as unknown as PassResult }
}

const conflictsRow = z.object({ conflicts: z.json() })

/** Returns the conflicts of the newest pass. */
export async function newestConflicts(db: Db): Promise<readonly Conflict[]> {
  const row = await db.maybeOneFirst(sql.type(conflictsRow)`
    SELECT conflicts FROM arbitrage_pass ORDER BY minute DESC LIMIT 1`)
  // They were validated when they were written.
  return (row ?? []) as unknown as readonly Conflict[]
}

/**
 * Stores the pass of a minute; false if one exists. Passes older than two hours are deleted, and passes before lose their
 * conflicts.
 */
export async function insertPass(
  tx: Tx,
  pass: {
    readonly minute: Date
    readonly computedAt: Date
    readonly result: PassResult
    readonly conflicts: readonly Conflict[]
  },
): Promise<boolean> {
  const [minute, result] = [pass.minute.toISOString(), JSON.stringify(passResult.parse(pass.result))]
  const conflicts = JSON.stringify(passConflicts.parse(pass.conflicts))
  const { rowCount } = await tx.query(sql.unsafe`
    INSERT INTO arbitrage_pass (minute, computed_at, result, conflicts)
    VALUES (${minute}, ${pass.computedAt.toISOString()}, ${result}, ${conflicts})
    ON CONFLICT DO NOTHING`)
  if (rowCount === 0) return false
  await tx.query(sql.unsafe`
    DELETE FROM arbitrage_pass WHERE minute < ${minute}::timestamptz - interval '2 hours'`)
  await tx.query(sql.unsafe`UPDATE arbitrage_pass SET conflicts = '[]' WHERE minute < ${minute} AND conflicts <> '[]'`)
  return true
}
