import { sql, type Db } from '@svc/postgres'
import { Decimal } from 'decimal.js'
import { z } from 'zod'

const Exact = Decimal.clone({ precision: 60 })
type Exact = InstanceType<typeof Exact>
const exact = (value: Decimal.Value): Exact => new Exact(value)
const text = z.string().transform((value) => exact(value).toFixed())
const HOUR_MS = 3_600_000

const fillRow = z.object({
  seq: z.number(),
  kind: z.string(),
  order_id: z.string().nullable(),
  coin: z.string(),
  side: z.enum(['buy', 'sell']),
  size: text,
  average_price: text.nullable(),
  notional_usdc: text,
  fee_usdc: text,
  closed_pnl_usdc: text,
  covered_usdc: text,
  position_size: text,
  position_entry_price: text.nullable(),
  equity_usdc: text,
  filled_at: z.string(),
})
const fundingRow = z.object({
  seq: z.number(),
  coin: z.string(),
  hour: z.string(),
  size: text,
  oracle_price: text,
  rate: text,
  usdc: text,
  paid_at: z.string(),
})
const equityRow = z.object({
  seq: z.number(),
  at: z.string(),
  cause: z.string(),
  equity_usdc: text,
  marks: z.record(z.string(), z.string()),
})
const bookRow = z.object({
  id: z.number(),
  start_usdc: text,
  cash_usdc: text,
  fees_usdc: text,
  funding_usdc: text,
  peak_usdc: text,
  max_drawdown_bps: z.number(),
  seq: z.number(),
})
const positionRow = z.object({ coin: z.string(), size: text, entry_price: text.nullable(), mark_price: text })

/** All rows of a book; times of processing are among them, row ids are not. */
export type Rows = Awaited<ReturnType<typeof rowsOf>>

/** Reads all rows of a book. */
export async function rowsOf(db: Db, book: string) {
  const { id, ...stored } = await db.one(sql.type(bookRow)`SELECT * FROM paper_book WHERE book = ${book}`)
  return {
    book: stored,
    fills: await db.any(sql.type(fillRow)`SELECT * FROM paper_fill WHERE book_id = ${id} ORDER BY seq`),
    funding: await db.any(sql.type(fundingRow)`SELECT * FROM paper_funding WHERE book_id = ${id} ORDER BY seq`),
    equity: await db.any(sql.type(equityRow)`SELECT * FROM paper_equity WHERE book_id = ${id} ORDER BY seq`),
    positions: await db.any(sql.type(positionRow)`
      SELECT coin, size, entry_price, mark_price FROM paper_position WHERE book_id = ${id} AND size <> 0 ORDER BY coin`),
  }
}

interface Naive {
  readonly cash: Exact
  readonly fees: Exact
  readonly funding: Exact
  readonly sizes: ReadonlyMap<string, Exact>
  readonly entries: ReadonlyMap<string, Exact>
}

/** Adds up fills and funding up to a row, one after the other: a second implementation of the book. */
export function addUp({ book, fills, funding }: Rows, upTo = Infinity): Naive {
  let cash = exact(book.start_usdc)
  let fees = exact(0)
  let paid = exact(0)
  const sizes = new Map<string, Exact>()
  const entries = new Map<string, Exact>()
  for (const fill of fills.filter(({ seq }) => seq <= upTo)) {
    const signed = fill.side === 'buy' ? exact(fill.size) : exact(fill.size).neg()
    const before = sizes.get(fill.coin) ?? exact(0)
    const after = before.plus(signed)
    const grows = after.abs().gt(before.abs())
    if (grows)
      entries.set(
        fill.coin,
        (entries.get(fill.coin) ?? exact(0)).times(before.abs()).plus(fill.notional_usdc).div(after.abs()),
      )
    if (after.isZero()) entries.delete(fill.coin)
    sizes.set(fill.coin, after)
    cash = fill.side === 'buy' ? cash.minus(fill.notional_usdc) : cash.plus(fill.notional_usdc)
    cash = cash.minus(fill.fee_usdc).plus(fill.covered_usdc)
    fees = fees.plus(fill.fee_usdc)
  }
  for (const row of funding.filter(({ seq }) => seq <= upTo)) {
    cash = cash.plus(row.usdc)
    paid = paid.plus(row.usdc)
  }
  return { cash, fees, funding: paid, sizes, entries }
}

/** Equity of what was added up, at mark prices. */
export function worthOf({ cash, sizes }: Naive, markOf: (coin: string) => string): Exact {
  let worth = cash
  for (const [coin, size] of sizes) if (!size.isZero()) worth = worth.plus(size.times(markOf(coin)))
  return worth
}

/** Maintenance margin of what was added up. */
export function marginOf(
  { sizes }: Naive,
  markOf: (coin: string) => string,
  leverageOf: (coin: string) => number,
): Exact {
  let margin = exact(0)
  for (const [coin, size] of sizes)
    if (!size.isZero())
      margin = margin.plus(
        size
          .abs()
          .times(markOf(coin))
          .div(2 * leverageOf(coin)),
      )
  return margin
}

/** Funding that a book owes for each hour, from its fills alone: − size at the hour × oracle × rate. */
export function fundingDue(
  { fills }: Rows,
  hours: { readonly from: number; readonly to: number },
  priceOf: (coin: string, hour: number) => { readonly oracle: string; readonly rate: string },
): { readonly coin: string; readonly hour: string; readonly size: string; readonly usdc: string }[] {
  const due = []
  for (let hour = Math.ceil(hours.from / HOUR_MS) * HOUR_MS; hour <= hours.to; hour += HOUR_MS)
    for (const coin of [...new Set(fills.map((fill) => fill.coin))].toSorted()) {
      const size = fills
        .filter((fill) => fill.coin === coin && Date.parse(fill.filled_at) < hour)
        .reduce((total, fill) => (fill.side === 'buy' ? total.plus(fill.size) : total.minus(fill.size)), exact(0))
      if (size.isZero()) continue
      const { oracle, rate } = priceOf(coin, hour)
      const usdc = size.neg().times(oracle).times(rate).toDecimalPlaces(6).toFixed()
      due.push({ coin, hour: new Date(hour).toISOString(), size: size.toFixed(), usdc })
    }
  return due
}

/** Greatest fall of a path of equities from its highest value before, in whole basis points. */
export function fallOf(path: readonly Exact[]): { readonly peak: string; readonly bps: number } {
  let peak = exact(0)
  let bps = 0
  for (const worth of path) {
    if (worth.gt(peak)) peak = worth
    const fall = peak.minus(worth).times(10_000).div(peak).floor().toNumber()
    bps = Math.max(bps, Math.min(10_000, fall))
  }
  return { peak: peak.toFixed(), bps }
}
