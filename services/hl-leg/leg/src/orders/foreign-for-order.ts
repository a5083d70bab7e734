import type { Context } from '#context.ts'
import type { Leg } from '#legs/store/legs.ts'
import { explainCash, type JudgedReading } from '#readings/explain-cash.ts'
import { isCashUnexplained } from '#readings/rules/cash.ts'
import { foreignBy } from '#readings/rules/foreign.ts'
import { foreignAt, type RecentForeign } from '#readings/store/ledger.ts'
import type { Reading } from '@svc/venue/rules/reading'

/** What an open is judged by: foreign money as of its reading, decimal text, and what explains its cash. */
export interface ForeignForOrder {
  /** Null before the first bind. */
  readonly foreign: string | null
  readonly cash: JudgedReading['cash']
  /** Value of the account with the cash that is explained, decimal text. */
  readonly judgedValue: string
}

/**
 * Returns foreign money as of the reading of an order. Executions, funding and the ledger of the venue are read first if the
 * account has other cash than was explained: money that nobody explains must not lift the worth above the stop line.
 */
export async function foreignForOrder(
  context: Context,
  { publicId, owner }: Leg,
  reading: Reading,
  known: RecentForeign,
): Promise<ForeignForOrder> {
  if (!isCashUnexplained(known.cash, reading))
    return { foreign: foreignBy(known, reading.readAt), cash: 'explained', judgedValue: reading.accountValue }
  const { cash, judgedValue } = await explainCash(context, 'orders', { publicId, owner }, reading)
  const foreign = (await foreignAt(context.pool, new Map([[publicId, reading.readAt]]))).get(publicId) ?? null
  return { foreign, cash, judgedValue }
}
