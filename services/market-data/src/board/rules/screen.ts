import type { BoardRow } from '@svc/contracts/market-data/board'
import { wordsOf } from '@svc/contracts/market-data/query-words'
import { BOARD_RANGES, type BoardField, type BoardQuery } from '@svc/contracts/market-data/screener'
import type { Columns, WordColumn } from './screen-columns.ts'
import { orderOf, usualDirection, type Screened } from './screen-order.ts'
import { searchText, textOf } from './search-text.ts'

type Filter = Omit<BoardQuery, 'limit' | 'offset' | 'sort' | 'order' | 'fields' | 'snapshot'>
/** Tests the row at a place. */
type Test = (place: number) => boolean

/** Returns the rows of a page, in the order of the query, and the number of all rows that match. */
export function screen(
  screened: Screened,
  { sort, order, limit, offset, ...filter }: Omit<BoardQuery, 'fields' | 'snapshot'>,
): { readonly total: number; readonly rows: readonly BoardRow[] } {
  const { rows } = screened
  const places = orderOf(screened, sort, order ?? usualDirection(sort))
  const fits = new Uint8Array(rows.length).fill(1)
  // One test after the other over all rows in their own order reads each column from its beginning to its end.
  for (const test of testsOf(screened, filter))
    for (let place = 0; place < fits.length; place += 1) if (fits[place] === 1 && !test(place)) fits[place] = 0
  const page: BoardRow[] = []
  let total = 0
  for (const place of places) {
    if (fits[place] === 0) continue
    const row = total >= offset && page.length < limit ? rows[place] : undefined
    if (row !== undefined) page.push(row)
    total += 1
  }
  return { total, rows: page }
}

/** Returns one test for each filter; a row has to pass all. A row whose value is unknown passes no range. */
function testsOf(screened: Screened, filter: Filter): Test[] {
  const { columns, rows } = screened
  const tests: Test[] = []
  for (const name of BOARD_RANGES) {
    const [min, max] = [filter[`${name}_min`] ?? -Infinity, filter[`${name}_max`] ?? Infinity]
    if (min === -Infinity && max === Infinity) continue
    const column = columns.numbers(name)
    tests.push((place) => {
      const value = column[place] ?? NaN
      return value >= min && value <= max
    })
  }
  for (const name of ['exchange', 'quote', 'grade', 'lifecycle'] as const) {
    const list = filter[name]
    if (list !== undefined) tests.push(among(columns, name, wordsOf(list)))
  }
  tests.push(...alertTests(screened, filter))
  if (filter.token_id !== undefined) {
    const ids = new Set(wordsOf(filter.token_id))
    tests.push((place) => ids.has(rows[place]?.token_id ?? ''))
  }
  if (filter.flags !== undefined) {
    const [counts, wanted] = [columns.numbers('flags'), filter.flags === 'any']
    tests.push((place) => (counts[place] ?? 0) > 0 === wanted)
  }
  if (filter.flag_meaning !== undefined) {
    const meanings = new Set<string>(wordsOf(filter.flag_meaning))
    tests.push((place) => rows[place]?.flags.some(({ meaning }) => meanings.has(meaning)) === true)
  }
  if (filter.q !== undefined) {
    const [wanted, texts] = [searchText(filter.q), textsOf(screened)]
    tests.push((place) => texts[place]?.includes(wanted) === true)
  }
  return tests
}

/** Returns the tests about open crises; rule and severity must hold for the same crisis. */
function alertTests({ columns, rows }: Screened, { alerts, alert_rule, alert_severity_min }: Filter): Test[] {
  const tests: Test[] = []
  const counts = columns.numbers('alerts')
  if (alerts === 'unknown') tests.push((place) => Number.isNaN(counts[place]))
  if (alerts === 'none') tests.push((place) => counts[place] === 0)
  if (alerts === 'open') tests.push((place) => (counts[place] ?? 0) > 0)
  if (alert_rule !== undefined || alert_severity_min !== undefined) {
    const rules = alert_rule === undefined ? null : new Set<string>(wordsOf(alert_rule))
    const least = alert_severity_min ?? 1
    const fits = ({ rule, severity }: { rule: string; severity: number }) =>
      severity >= least && (rules?.has(rule) ?? true)
    tests.push((place) => rows[place]?.alerts?.some(fits) === true)
  }
  return tests
}

/** Returns the test whether a member is one of some words; an unknown one is none of them. */
function among(columns: Columns, name: WordColumn, allowed: readonly string[]): Test {
  const { words, codes } = columns.words(name)
  const wanted = Uint8Array.from(words, (word) => (word !== null && allowed.includes(word) ? 1 : 0))
  return (place) => wanted[codes[place] ?? 0] === 1
}

/** Returns the search text of each row, computed at the first search. */
export const textsOf = (screened: Screened): readonly string[] => (screened.texts ??= screened.rows.map(textOf))

/**
 * Returns rows with the chosen members, their identity and their alerts, without which no figure is shown; whole rows
 * without a choice.
 */
export function chosen(rows: readonly BoardRow[], fields: string | undefined): readonly BoardRow[] {
  if (fields === undefined) return rows
  const names = [
    'token_id',
    'exchange',
    'symbol',
    ...(wordsOf(fields) as BoardField[]),
    'alerts',
    'recent_alerts',
    'not_judged',
  ] as const
  return rows.map((row) => Object.fromEntries(names.map((name) => [name, row[name]])) as unknown as BoardRow)
}
