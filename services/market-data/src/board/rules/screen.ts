import type { BoardRow } from '@svc/contracts/market-data/board'
import { wordsOf } from '@svc/contracts/market-data/query-words'
import { BOARD_RANGES, type BoardField, type BoardQuery } from '@svc/contracts/market-data/screener'
import { orderOf, usualDirection, type Screened } from './screen-order.ts'
import { searchText, textOf } from './search-text.ts'

type Filter = Omit<BoardQuery, 'limit' | 'offset' | 'sort' | 'order' | 'fields' | 'snapshot'>
type Test = (row: BoardRow, place: number) => boolean

/** Returns the rows of a page, in the order of the query, and the number of all rows that match. */
export function screen(
  screened: Screened,
  { sort, order, limit, offset, ...filter }: Omit<BoardQuery, 'fields' | 'snapshot'>,
): { readonly total: number; readonly rows: readonly BoardRow[] } {
  const { rows } = screened
  const places = orderOf(screened, sort, order ?? usualDirection(sort))
  const tests = testsOf(screened, filter)
  const fits = new Uint8Array(rows.length).fill(1)
  // One test after the other over all rows in their own order: about twice as fast as all tests on row after row.
  for (const test of tests)
    for (let place = 0; place < rows.length; place += 1)
      if (fits[place] === 1 && !test(rows[place] as BoardRow, place)) fits[place] = 0
  const page: BoardRow[] = []
  let total = 0
  for (const place of places) {
    if (fits[place] === 0) continue
    if (total >= offset && page.length < limit) page.push(rows[place] as BoardRow)
    total += 1
  }
  return { total, rows: page }
}

/** Returns one test for each filter; a row has to pass all. A row whose value is unknown passes no range. */
function testsOf(screened: Screened, filter: Filter): Test[] {
  const tests: Test[] = []
  const { exchange, q, quote, flags } = filter
  if (exchange !== undefined) tests.push((row) => row.exchange === exchange)
  if (quote !== undefined) tests.push(among(quote, (row) => row.quote))
  if (filter.grade !== undefined) tests.push(among(filter.grade, (row) => row.grade))
  if (filter.lifecycle !== undefined) tests.push(among(filter.lifecycle, (row) => row.lifecycle))
  for (const name of BOARD_RANGES) {
    const [min, max] = [filter[`${name}_min`] ?? -Infinity, filter[`${name}_max`] ?? Infinity]
    if (min === -Infinity && max === Infinity) continue
    tests.push((row) => {
      const value = row[name]
      return value !== null && value >= min && value <= max
    })
  }
  tests.push(...alertTests(filter))
  if (flags !== undefined) tests.push((row) => row.flags.length > 0 === (flags === 'any'))
  if (filter.flag_meaning !== undefined) {
    const meanings = new Set<string>(wordsOf(filter.flag_meaning))
    tests.push((row) => row.flags.some(({ meaning }) => meanings.has(meaning)))
  }
  if (q !== undefined) {
    const wanted = searchText(q)
    const texts = textsOf(screened)
    tests.push((_, place) => texts[place]?.includes(wanted) === true)
  }
  return tests
}

/** Returns the tests about open crises; rule and severity must hold for the same crisis. */
function alertTests({ alerts, alert_rule, alert_severity_min }: Filter): Test[] {
  const tests: Test[] = []
  if (alerts === 'unknown') tests.push((row) => row.alerts === null)
  if (alerts === 'none') tests.push((row) => row.alerts?.length === 0)
  if (alerts === 'open') tests.push((row) => row.alerts !== null && row.alerts.length > 0)
  if (alert_rule !== undefined || alert_severity_min !== undefined) {
    const rules = alert_rule === undefined ? null : new Set<string>(wordsOf(alert_rule))
    const least = alert_severity_min ?? 1
    tests.push(
      (row) => row.alerts?.some(({ rule, severity }) => severity >= least && (rules?.has(rule) ?? true)) === true,
    )
  }
  return tests
}

function among(list: string, read: (row: BoardRow) => string | null): Test {
  const words = new Set(wordsOf(list))
  return (row) => {
    const value = read(row)
    return value !== null && words.has(value)
  }
}

/** Returns the search text of each row, computed at the first search. */
export const textsOf = (screened: Screened): readonly string[] => (screened.texts ??= screened.rows.map(textOf))

/** Returns rows with the chosen members, their identity and their open alerts, without which no figure is shown; whole rows without a choice. */
export function chosen(rows: readonly BoardRow[], fields: string | undefined): readonly BoardRow[] {
  if (fields === undefined) return rows
  const names = ['token_id', 'exchange', 'symbol', ...(wordsOf(fields) as BoardField[]), 'alerts'] as const
  return rows.map((row) => Object.fromEntries(names.map((name) => [name, row[name]])) as unknown as BoardRow)
}
