import type { Context } from '#context.ts'
import type { Leg } from '#legs/store/legs.ts'
import { usdcUnitsDown } from '#venue/rules/usdc-units.ts'
import { ledgerCursor, ledgerEntries } from '#readings/store/ledger.ts'
import { takeReading } from '#readings/take-reading.ts'
import { debtPaid } from './leg-standings.ts'
import { explain, type History } from './rules/explain.ts'
import { venueTotals } from './rules/venue-totals.ts'
import type { Explanation } from './store/explanations.ts'
import { paymentsOf } from './store/pool-payments.ts'
import { transfersOf } from './store/transfers.ts'

/** The venue answers at most so many rows; a longer history is read in pages. */
const FILLS_MAX = 2_000
const FUNDINGS_MAX = 500
const PAGES_MAX = 10

/**
 * Compares an account's value with what its payments and trades since the bind make of it. Returns null if the history cannot
 * be read whole. Rejects with an outage.
 */
export async function explainLeg(context: Context, leg: Leg): Promise<Explanation | null> {
  const { pool } = context
  if (leg.boundAt === null) return null
  const account = { publicId: leg.publicId, owner: leg.owner }
  const reading = await takeReading(context, 'worth', account)
  const cursor = await ledgerCursor(pool, leg.publicId)
  const history = await readHistory(context, leg, reading.readAt.getTime())
  if (cursor === null || history === null) return null
  const entries = await ledgerEntries(pool, leg.publicId, new Date(0))
  const foreign = entries
    .filter(({ ours, at }) => !ours && at <= reading.readAt)
    .reduce((sum, { effect }) => sum + usdcUnitsDown(effect), usdcUnitsDown(cursor.base))
  const rows = await transfersOf(pool, [leg.publicId])
  const totals = venueTotals(
    rows.map(({ kind, amount, venue_at }) => ({ kind, amount, venueAt: venue_at?.getTime() ?? null })),
    reading.readAt.getTime(),
  )
  const paid = debtPaid(await paymentsOf(pool, [leg.publicId]), reading.readAt)
  const value = usdcUnitsDown(reading.accountValue)
  const unrealized = reading.positions.map(({ unrealizedPnl }) => unrealizedPnl)
  const { expected, holds } = explain(
    { value, foreign, delivered: totals.delivered, left: totals.left + paid },
    { ...history, unrealized },
  )
  return { public_id: leg.publicId, value, expected, holds, read_at: reading.readAt }
}

async function readHistory(
  { venue }: Context,
  { owner: user, boundAt }: Leg,
  until: number,
): Promise<Omit<History, 'unrealized'> | null> {
  const since = boundAt?.getTime() ?? 0
  const fills = await wholeSpan(since, FILLS_MAX, (startTime) =>
    venue.ask('worth', 'userFillsByTime', { user, startTime }),
  )
  const fundings = await wholeSpan(since, FUNDINGS_MAX, (startTime) =>
    venue.ask('worth', 'userFunding', { user, startTime }),
  )
  if (fills === null || fundings === null) return null
  const upTo = <T extends { readonly time: number }>(rows: readonly T[]) => rows.filter(({ time }) => time <= until)
  return { fills: upTo(fills), fundings: upTo(fundings).map(({ delta }) => delta) }
}

/** Reads rows page by page, each once; null if they are more than the pages hold. */
async function wholeSpan<T extends { readonly time: number }>(
  since: number,
  pageRows: number,
  ask: (startTime: number) => Promise<readonly T[]>,
): Promise<readonly T[] | null> {
  const found = new Map<string, T>()
  let startTime = since
  for (let page = 0; page < PAGES_MAX; page++) {
    const rows = await ask(startTime)
    for (const row of rows) found.set(JSON.stringify(row), row)
    if (rows.length < pageRows) return [...found.values()]
    const last = Math.max(...rows.map(({ time }) => time))
    if (last === startTime) return null
    startTime = last
  }
  return null
}
