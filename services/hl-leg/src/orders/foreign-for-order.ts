import type { Context } from '#context.ts'
import type { Leg } from '#legs/store/legs.ts'
import { readLedger } from '#readings/read-ledger.ts'
import { cashOf, isCashUp } from '#readings/rules/cash.ts'
import { foreignBy } from '#readings/rules/foreign.ts'
import { foreignAt, type RecentForeign } from '#readings/store/ledger.ts'
import type { Reading } from '#venue/rules/reading.ts'

/**
 * Returns foreign money as of the reading of an order, decimal text. The venue's ledger is read first if the account has
 * gained cash that it does not explain yet: money of others must not lift the worth above the stop line. Null before the first
 * bind. Rejects with an outage.
 */
export async function foreignForOrder(
  context: Context,
  { publicId, owner }: Leg,
  reading: Reading,
  known: RecentForeign,
): Promise<string | null> {
  if (!isCashUp(known.cash, reading)) return foreignBy(known, reading.readAt)
  await readLedger(context, 'orders', { publicId, owner }, cashOf(reading))
  return (await foreignAt(context.pool, new Map([[publicId, reading.readAt]]))).get(publicId) ?? null
}
