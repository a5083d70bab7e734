import { sql, type Db } from '@svc/postgres'
import { z } from 'zod'
import type { Reading } from '#venue/rules/reading.ts'

const date = z.string().transform((text) => new Date(text))
const readingRow = z
  .object({
    public_id: z.string(),
    began_at: date,
    ended_at: date,
    read_at: date,
    account_value: z.string(),
    notional: z.string(),
    dexes: z.array(
      z.object({
        dex: z.string(),
        at: date.nullable(),
        accountValue: z.string(),
        withdrawable: z.string(),
        notional: z.string(),
        marginUsed: z.string(),
      }),
    ),
    positions: z.array(
      z.object({
        coin: z.string(),
        dex: z.string(),
        size: z.string(),
        entryPrice: z.string(),
        markPrice: z.string(),
        notional: z.string(),
        unrealizedPnl: z.string(),
        liquidationPrice: z.string().nullable(),
        leverage: z.number(),
      }),
    ),
  })
  .transform((row): StoredReading => ({
    publicId: row.public_id,
    beganAt: row.began_at,
    endedAt: row.ended_at,
    readAt: row.read_at,
    accountValue: row.account_value,
    notional: row.notional,
    dexes: row.dexes,
    positions: row.positions,
  }))
/** The newest good reading of a leg. */
export type StoredReading = Reading & { readonly publicId: string }

const columns = sql.fragment`public_id, began_at, ended_at, read_at, account_value, notional, dexes, positions`

/** Stores a reading unless a newer one is stored. */
export const storeReading = (db: Db, publicId: string, reading: Reading): Promise<void> =>
  storeReadings(db, [[publicId, reading]])

/** Stores readings of legs, each unless a newer one of its leg is stored. */
export async function storeReadings(db: Db, readings: readonly (readonly [string, Reading])[]): Promise<void> {
  if (readings.length === 0) return
  const rows = readings.map(([publicId, reading]) => ({
    public_id: publicId,
    began_at: reading.beganAt,
    ended_at: reading.endedAt,
    read_at: reading.readAt,
    account_value: reading.accountValue,
    notional: reading.notional,
    dexes: reading.dexes,
    positions: reading.positions,
  }))
  // Ordered, so that two writers lock the rows in the same order.
  await db.query(sql.unsafe`
    INSERT INTO reading (${columns})
    SELECT ${columns} FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      AS one (public_id text, began_at timestamptz, ended_at timestamptz, read_at timestamptz, account_value numeric,
        notional numeric, dexes jsonb, positions jsonb)
    ORDER BY public_id
    ON CONFLICT (public_id) DO UPDATE SET began_at = excluded.began_at, ended_at = excluded.ended_at,
      read_at = excluded.read_at, account_value = excluded.account_value, notional = excluded.notional,
      dexes = excluded.dexes, positions = excluded.positions
    WHERE reading.read_at < excluded.read_at`)
}

/** Returns the newest good readings of some legs; legs without one are left out. */
export function readingsOf(db: Db, publicIds: readonly string[]): Promise<readonly StoredReading[]> {
  return db.any(sql.type(readingRow)`
    SELECT ${columns} FROM reading WHERE public_id = ANY(${sql.array([...publicIds], 'text')})`)
}

/** Returns the newest good reading of a leg; null before the first. */
export function storedReading(db: Db, publicId: string): Promise<StoredReading | null> {
  return db.maybeOne(sql.type(readingRow)`SELECT ${columns} FROM reading WHERE public_id = ${publicId}`)
}
