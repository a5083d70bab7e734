import type { Context } from '#context.ts'
import type { WeightClass } from '#venue/rules/weights.ts'
import type { LegAccount } from './leg-account.ts'
import { readAccount } from './read-account.ts'
import { readLedger } from './read-ledger.ts'
import { cashOf, isCashUnexplained } from './rules/cash.ts'
import type { Reading } from '#venue/rules/reading.ts'
import { ledgerCursor } from './store/ledger.ts'
import { storeReading } from './store/readings.ts'

/** The ledger of a leg is read at least this often. */
const LEDGER_MS_MAX = 30 * 60_000

/**
 * Reads the account of a leg and stores the reading, which then serves the stop line, marks and orders. The venue's
 * ledger is read first if the account has cash that neither trades nor the ledger explain, so that foreign money never
 * lags behind the reading. Rejects with an outage; the last good reading then stays.
 */
export async function takeReading(
  context: Pick<Context, 'venue' | 'pool' | 'clock' | 'settings' | 'log' | 'money'>,
  by: WeightClass,
  account: LegAccount,
): Promise<Reading> {
  const { pool, clock } = context
  const reading = await readAccount(context, by, account.owner)
  const cursor = await ledgerCursor(pool, account.publicId)
  if (cursor !== null) {
    const isOld = clock.now().getTime() - cursor.readAt.getTime() >= LEDGER_MS_MAX
    if (isOld || isCashUnexplained(cursor.cash, reading)) await readLedger(context, by, account, cashOf(reading))
  }
  await storeReading(pool, account.publicId, reading)
  return reading
}
