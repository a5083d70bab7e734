import type { Context } from '#context.ts'
import { readAccount } from '#readings/read-account.ts'
import { readLedger } from '#readings/read-ledger.ts'
import type { Reading } from '#readings/rules/reading.ts'
import { hasUnexplainedCash } from '#readings/rules/cash.ts'
import { ledgerCursor } from '#readings/store/ledger.ts'
import { storedReading, storeReading } from '#readings/store/readings.ts'
import type { WeightClass } from '#venue/rules/weights.ts'
import { SURVEY_SEC } from './rules/capacity.ts'
import type { Leg } from './store/legs.ts'

/**
 * Reads the account of a live leg and stores the reading. The venue's ledger is read as well if cash came or went that
 * trades do not explain, or after half an hour. Rejects with an outage; the last good reading then stays.
 */
export async function readLiveLeg(
  context: Pick<Context, 'venue' | 'pool' | 'clock' | 'settings' | 'log' | 'money'>,
  by: WeightClass,
  leg: Leg,
): Promise<Reading> {
  const { pool, clock } = context
  const account = { publicId: leg.publicId, owner: leg.owner }
  const former = await storedReading(pool, leg.publicId)
  const reading = await readAccount(context, by, leg.owner)
  const cursor = await ledgerCursor(pool, leg.publicId)
  const isDue = cursor !== null && clock.now().getTime() - cursor.readAt.getTime() >= SURVEY_SEC * 1000
  // The ledger first: a reading is stored together with the payments that explain it.
  if (isDue || (former !== null && hasUnexplainedCash(former, reading))) await readLedger(context, by, account)
  await storeReading(pool, leg.publicId, reading)
  return reading
}
