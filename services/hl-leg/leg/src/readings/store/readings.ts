import { instant, json, sql, table, typed, type Db, type RowOf } from '@svc/postgres'
import { z } from 'zod'
import type { Reading } from '@svc/venue/rules/reading'

const time = typed('timestamptz', instant)
const decimal = typed('numeric', z.string())
const readings = table('reading', {
  publicId: z.string(),
  beganAt: time,
  endedAt: time,
  readAt: time,
  accountValue: decimal,
  notional: decimal,
  dexes: json(
    z.array(
      z.object({
        dex: z.string(),
        at: instant.nullable(),
        accountValue: z.string(),
        withdrawable: z.string(),
        notional: z.string(),
        marginUsed: z.string(),
      }),
    ),
  ),
  positions: json(
    z.array(
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
  ),
})
const { row: readingRow, list: columns } = readings
/** The newest good reading of a leg. */
export type StoredReading = Reading & RowOf<typeof readings>
const onNewer = sql.fragment`${readings.onConflict(['publicId'])} WHERE reading.read_at < excluded.read_at`

/** Stores a reading unless a newer one is stored. */
export const storeReading = (db: Db, publicId: string, reading: Reading): Promise<void> =>
  storeReadings(db, [[publicId, reading]])

/** Stores readings of legs, each unless a newer one of its leg is stored. */
export async function storeReadings(db: Db, given: readonly (readonly [string, Reading])[]): Promise<void> {
  if (given.length === 0) return
  // Ordered, so that two writers lock the rows in the same order.
  const rows = given
    .map(([publicId, { dexes, positions, ...reading }]) => ({
      ...reading,
      publicId,
      dexes: [...dexes],
      positions: [...positions],
    }))
    .toSorted((a, b) => (a.publicId < b.publicId ? -1 : 1))
  await db.query(sql.unsafe`${readings.insertAll(rows)} ${onNewer}`)
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
