import type { UsageStore } from '@svc/edge'
import { sql, type Pool } from '@svc/postgres'
import { z } from 'zod'

const KEEP_DAYS = 90

const usedRow = z.object({ used: z.number() })

/** Usage per account and day; additions of one flush are a single statement. */
export function usageStore(pool: Pool): UsageStore & { forgetBefore(day: number): Promise<number> } {
  return {
    add: async (rows) => {
      // Ordered by key, so that two gateways flushing at once lock the rows in the same order.
      const sorted = [...rows].sort((a, b) => Number(a.key) - Number(b.key) || a.window - b.window)
      await pool.query(sql.unsafe`
        INSERT INTO usage AS u (account_id, day, used)
        SELECT account_id, day, count FROM ${sql.unnest(
          sorted.map((row) => [Number(row.key), row.window, row.count]),
          ['int8', 'int4', 'int8'],
        )} AS fresh(account_id, day, count)
        ORDER BY account_id, day
        ON CONFLICT (account_id, day) DO UPDATE SET used = greatest(0, u.used + excluded.used)`)
    },
    used: async (key, window) => {
      const row = await pool.maybeOne(
        sql.prepared(
          'usage_used',
          usedRow,
        )`SELECT used FROM usage WHERE account_id = ${Number(key)} AND day = ${window}`,
      )
      return Math.max(0, row?.used ?? 0)
    },
    forgetBefore: async (day) => {
      const result = await pool.query(sql.unsafe`DELETE FROM usage WHERE day < ${day - KEEP_DAYS}`)
      return result.rowCount
    },
  }
}
