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
  conflicts: z.array(assetConflict).max(ARBITRAGE_MAX.conflicts),
  conflicts_total: z.int().min(0),
})
export type PassResult = z.output<typeof passResult>

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

/** Stores the pass of a minute; false if one exists. Passes older than two hours are deleted. */
export async function insertPass(tx: Tx, minute: Date, computedAt: Date, result: PassResult): Promise<boolean> {
  const { rowCount } = await tx.query(sql.unsafe`
    INSERT INTO arbitrage_pass (minute, computed_at, result)
    VALUES (${minute.toISOString()}, ${computedAt.toISOString()}, ${JSON.stringify(passResult.parse(result))})
    ON CONFLICT DO NOTHING`)
  if (rowCount === 0) return false
  await tx.query(sql.unsafe`
    DELETE FROM arbitrage_pass WHERE minute < ${minute.toISOString()}::timestamptz - interval '2 hours'`)
  return true
}
