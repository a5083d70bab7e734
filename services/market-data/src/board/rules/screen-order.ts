import type { BoardRow } from '@svc/contracts/market-data/board'
import type { BoardSort } from '@svc/contracts/market-data/screener'
import { columnsOf, type Columns, type NumberColumn } from './screen-columns.ts'

export type Direction = 'asc' | 'desc'

/** Rows in the order of their token ids, and every column, order and text that a query has needed so far. */
export interface Screened {
  readonly rows: readonly BoardRow[]
  readonly columns: Columns
  /** Places in `rows`, by sort and direction. At most two for each sort. */
  readonly orders: Map<string, Uint32Array>
  texts: readonly string[] | null
}

const COLUMN: Record<Exclude<BoardSort, 'symbol'>, NumberColumn> = {
  volume: 'volume_24h_usd',
  gpa: 'gpa',
  risk_score: 'risk_score',
  change: 'change_24h_pct',
  spread: 'spread_bps',
  depth: 'depth_2pct_usd',
}

/** Returns the direction of a sort for callers that name none: the best or the first row leads. */
export const usualDirection = (sort: BoardSort): Direction => (sort === 'spread' || sort === 'symbol' ? 'asc' : 'desc')

const compareText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** Prepares rows for queries. */
export function screenedOf(rows: readonly BoardRow[]): Screened {
  const sorted = rows.toSorted((a, b) => compareText(a.token_id, b.token_id))
  return { rows: sorted, columns: columnsOf(sorted), orders: new Map(), texts: null }
}

/**
 * Returns the places of the rows in an order, computed at its first use. Rows without a value come last, equal rows in the
 * order of their token ids, so an order is the same in every process.
 */
export function orderOf({ rows, columns, orders }: Screened, sort: BoardSort, direction: Direction): Uint32Array {
  const key = `${sort} ${direction}`
  const known = orders.get(key)
  if (known !== undefined) return known
  const sign = direction === 'asc' ? 1 : -1
  const places = Uint32Array.from(rows.keys())
  if (sort === 'symbol') {
    const symbols = rows.map((row) => row.symbol)
    places.sort((a, b) => sign * compareText(symbols[a] ?? '', symbols[b] ?? '') || a - b)
  } else {
    // An unknown value is worse than any in both directions.
    const values = columns.numbers(COLUMN[sort]).map((value) => (Number.isNaN(value) ? Infinity : sign * value))
    places.sort((a, b) => {
      const [left = 0, right = 0] = [values[a], values[b]]
      return left < right ? -1 : left > right ? 1 : a - b
    })
  }
  orders.set(key, places)
  return places
}
