import { isOutage } from '@svc/service'
import type { Context } from '#context.ts'
import type { WeightClass } from '@svc/venue/rules/weights'
import type { Reading } from '@svc/venue/rules/reading'
import type { LegAccount } from './leg-account.ts'
import { readHistory } from './read-history.ts'
import { readLedger } from './read-ledger.ts'
import { cashOf, explainedCash, isCashUnexplained, lowerOf, sumUsdc, valueWith } from './rules/cash.ts'
import { cashMade } from './rules/history.ts'
import { effectOf } from './rules/ledger.ts'
import {
  ledgerCursor,
  ledgerEntries,
  noteCash,
  noteUnexplained,
  type LedgerCursor,
  type LedgerEntry,
} from './store/ledger.ts'

export type CashReader = Pick<Context, 'venue' | 'pool' | 'clock' | 'settings' | 'log' | 'money'>

/** A reading with what its cash is explained by. */
export interface JudgedReading {
  readonly reading: Reading
  /**
   * `explained`: executions, funding and the ledger make the cash that the account has. `unexplained`: they make another.
   * `unknown`: the venue or the budget did not answer.
   */
  readonly cash: 'explained' | 'unexplained' | 'unknown'
  /**
   * Value by which a crossing is judged, decimal text: with the cash that is explained. Unknown cash counts or not, whichever
   * is less.
   */
  readonly judgedValue: string
  /** Value with the cash that was explained last, whatever the account shows; null before the first bind. */
  readonly explainedValue: string | null
}

/**
 * Explains the cash of a reading: by the cash that was explained last, and what executions, funding and the ledger made of it
 * since. Asks the venue only if the cash changed by more than fees, and notes the result. An outage makes it unknown.
 */
export async function explainCash(
  context: CashReader,
  by: WeightClass,
  account: LegAccount,
  reading: Reading,
): Promise<JudgedReading> {
  const { pool, clock } = context
  const cursor = await ledgerCursor(pool, account.publicId)
  const explained = (): JudgedReading => {
    const { accountValue } = reading
    return { reading, cash: 'explained', judgedValue: accountValue, explainedValue: accountValue }
  }
  if (cursor === null) return { ...explained(), explainedValue: null }
  // Payments that are stored may have cancelled each other out, of which the newest is not read yet.
  if (!cursor.hasPaid && !isCashUnexplained(cursor.cash, reading)) {
    if (cursor.unexplainedSince !== null) await noteUnexplained(pool, account.publicId, null)
    return explained()
  }
  const made = await cashBy(context, by, account, cursor, reading).catch(outageAsNull(context, account))
  if (made === null) {
    const last = valueWith(explainedCash(cursor) ?? cashOf(reading), reading)
    return { reading, cash: 'unknown', judgedValue: lowerOf(last, reading.accountValue), explainedValue: last }
  }
  const [since] = made
  if (made.some((cash) => !isCashUnexplained(cash, reading))) {
    await noteCash(pool, account.publicId, { cash: cashOf(reading), at: reading.readAt })
    return explained()
  }
  await noteUnexplained(pool, account.publicId, clock.now())
  const judgedValue = valueWith(since, reading)
  return { reading, cash: 'unexplained', judgedValue, explainedValue: judgedValue }
}

/**
 * Returns the cash that an account should have, from the one that was explained last: with what happened after its instant, and
 * then with executions or payments of that very instant too, which the reading of then may not have had. Decimal text; null if
 * that cannot be told.
 */
async function cashBy(
  context: CashReader,
  by: WeightClass,
  account: LegAccount,
  { cash, cashAt }: LedgerCursor,
  { readAt, ...reading }: Reading,
): Promise<readonly [string, ...string[]] | null> {
  const { pool } = context
  await readLedger(context, by, account)
  // A leg of a former release has no time of its cash: it is taken as it is, and its equation says whether that is right.
  if (cash === null || cashAt === null) return [cashOf(reading)]
  const since = cashAt.getTime()
  const history = await readHistory(context, by, account.owner, { since, until: readAt.getTime() })
  if (history === null) return null
  const entries = (await ledgerEntries(pool, account.publicId, cashAt)).filter(({ at }) => at <= readAt)
  const traded = (from: number) =>
    cashMade({
      fills: history.fills.filter(({ time }) => time >= from),
      fundings: history.fundings.filter(({ time }) => time >= from),
    })
  const paid = (from: number) =>
    sumUsdc(entries.filter(({ at }) => at.getTime() >= from).map((entry) => paidBy(context, account, entry)))
  const withAll = (tradesFrom: number, entriesFrom: number) => sumUsdc([cash, traded(tradesFrom), paid(entriesFrom)])
  const after = since + 1
  return [withAll(after, after), withAll(since, after), withAll(after, since), withAll(since, since)]
}

/** What an entry changed of the cash. That of a payment to the pool counts otherwise once it was divided. */
function paidBy({ settings }: CashReader, { owner }: LegAccount, { at, hash, delta, effect }: LedgerEntry): string {
  const payee = delta['destination']
  const isToPool = typeof payee === 'string' && payee.toLowerCase() === settings.poolAddress?.toLowerCase()
  return isToPool ? effectOf({ time: at.getTime(), hash, delta }, { owner, dexes: settings.dexes }).effect : effect
}

const outageAsNull =
  ({ log }: Pick<Context, 'log'>, { publicId }: LegAccount) =>
  (error: unknown): null => {
    if (!isOutage(error)) throw error
    log.warn({ err: error, public_id: publicId }, 'the cash of a leg could not be explained')
    return null
  }
