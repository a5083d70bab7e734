import { sql, type Db } from '@svc/postgres'
import { z } from 'zod'

/** Newest signals whose markets count. */
const SIGNALS_MAX = 500

const marketRow = z.object({ market: z.string() })

/** Returns the markets of the newest signals of a vault that were recorded before a time, by name. */
export async function signalMarkets(db: Db, vaultId: string, before: Date): Promise<readonly string[]> {
  const rows = await db.any(sql.type(marketRow)`
    SELECT DISTINCT market FROM (
      SELECT market FROM signal WHERE vault_id = ${vaultId} AND recorded_at <= ${before.toISOString()}
      ORDER BY recorded_at DESC, seq DESC LIMIT ${SIGNALS_MAX}) AS newest
    ORDER BY market`)
  return rows.map(({ market }) => market)
}
