import type { WeightClass } from '@svc/venue/rules/weights'
import { explainCash, type CashReader, type JudgedReading } from './explain-cash.ts'
import type { LegAccount } from './leg-account.ts'
import { readAccount } from './read-account.ts'
import { readLedger } from './read-ledger.ts'
import type { Reading } from '@svc/venue/rules/reading'
import { ledgerCursor } from './store/ledger.ts'
import { storeReading } from './store/readings.ts'

/** The ledger of a leg is read at least this often. */
const LEDGER_MS_MAX = 30 * 60_000

/**
 * Reads the account of a leg and stores the reading, which then serves the stop line, marks and orders. Executions, funding and
 * the venue's ledger are read first if the cash of the account changed; a reading that they do not explain is not stored, so
 * that foreign money never lags behind the reading. Rejects with an outage; the last good reading then stays.
 */
export async function takeJudged(context: CashReader, by: WeightClass, account: LegAccount): Promise<JudgedReading> {
  const { pool, clock } = context
  const judged = await explainCash(context, by, account, await readAccount(context, by, account.owner))
  const cursor = await ledgerCursor(pool, account.publicId)
  if (cursor !== null && clock.now().getTime() - cursor.readAt.getTime() >= LEDGER_MS_MAX)
    await readLedger(context, by, account)
  if (judged.cash === 'explained') await storeReading(pool, account.publicId, judged.reading)
  return judged
}

/** Reads the account of a leg as `takeJudged` does, and returns the reading as it is. */
export const takeReading = async (context: CashReader, by: WeightClass, account: LegAccount): Promise<Reading> =>
  (await takeJudged(context, by, account)).reading
