import type { BoardSort } from '@svc/contracts/market-data/screener'
import type { Letter, Lifecycle } from '@svc/contracts/market-data/board'

export const GRADES: readonly Letter[] = ['A+', 'A', 'A-', 'B+', 'B', 'B-', 'C+', 'C', 'C-', 'D+', 'D', 'D-', 'F']
export const LIFECYCLES: readonly Lifecycle[] = ['new', 'active', 'watch', 'at_risk', 'halted', 'delisted']
export const SORTS: readonly BoardSort[] = ['volume', 'gpa', 'risk_score', 'change', 'spread', 'depth', 'symbol']
export const TABS = ['board', 'risk', 'research'] as const
export type Tab = (typeof TABS)[number]
/** Rows of one page. A visitor gets 100 of them, and the answer says why. */
export const BOARD_ROWS = 200

/** What a visitor chose on the board. */
export interface BoardView {
  readonly tab: Tab
  readonly q: string
  readonly exchange: string
  readonly quote: string
  /** First letters of the grades: A stands for A+, A and A-. */
  readonly grades: readonly string[]
  readonly lifecycles: readonly Lifecycle[]
  readonly alerts: 'open' | 'none' | 'unknown' | null
  readonly flags: 'any' | 'none' | null
  readonly sort: BoardSort
  readonly order: 'asc' | 'desc'
  readonly offset: number
  /** Board of the first page, so that later pages do not overlap; null for the newest. */
  readonly snapshot: number | null
  /** Only pairs that this browser watches. */
  readonly watched: boolean
}

export const FIRST_LETTERS = ['A', 'B', 'C', 'D', 'F'] as const

/** Returns the order in which a column is read first: the tightest spread, the first letter, the most of all else. */
export const firstOrder = (sort: BoardSort): 'asc' | 'desc' => (sort === 'spread' || sort === 'symbol' ? 'asc' : 'desc')

const one = <T extends string>(words: readonly T[], word: string | null): T | null =>
  words.find((known) => known === word) ?? null
const some = <T extends string>(words: readonly T[], text: string | null): readonly T[] =>
  words.filter((known) => text?.split(',').includes(known) === true)

function countOf(text: string | null, max: number): number | null {
  const count = Number(text)
  return Number.isInteger(count) && count > 0 && count <= max ? count : null
}

/** Reads the choice from the query of the page's address; what it does not know is left out. */
export function boardViewOf(query: string): BoardView {
  const given = new URLSearchParams(query)
  const sort = one(SORTS, given.get('sort')) ?? 'volume'
  const offset = countOf(given.get('offset'), 1_000_000) ?? 0
  const quote = (given.get('quote') ?? '').toUpperCase()
  return {
    tab: one(TABS, given.get('tab')) ?? 'board',
    q: (given.get('q') ?? '').slice(0, 64),
    exchange: /^[a-z0-9_-]{1,32}$/.test(given.get('exchange') ?? '') ? (given.get('exchange') ?? '') : '',
    quote: /^[A-Z0-9$._-]{1,32}$/.test(quote) ? quote : '',
    grades: some(FIRST_LETTERS, given.get('grade')),
    lifecycles: some(LIFECYCLES, given.get('lifecycle')),
    alerts: one(['open', 'none', 'unknown'], given.get('alerts')),
    flags: one(['any', 'none'], given.get('flags')),
    sort,
    order: one(['asc', 'desc'], given.get('order')) ?? firstOrder(sort),
    offset,
    snapshot: offset > 0 ? countOf(given.get('snapshot'), Number.MAX_SAFE_INTEGER) : null,
    watched: given.has('watched'),
  }
}

/** Returns the query of the page's address for a choice; empty for the first one. */
export function boardAddressQuery(view: BoardView): string {
  const members = new URLSearchParams()
  const set = (name: string, value: string | null) => {
    if (value !== null && value !== '') members.set(name, value)
  }
  set('q', view.q.trim())
  set('exchange', view.exchange)
  set('quote', view.quote)
  set('lifecycle', view.lifecycles.join(','))
  set('alerts', view.alerts)
  set('flags', view.flags)
  if (view.sort !== 'volume') set('sort', view.sort)
  if (view.order !== firstOrder(view.sort)) set('order', view.order)
  if (view.offset > 0) set('offset', String(view.offset))
  if (view.offset > 0 && view.snapshot !== null) set('snapshot', String(view.snapshot))
  set('grade', view.grades.join(','))
  if (view.tab !== 'board') set('tab', view.tab)
  if (view.watched) set('watched', '1')
  return members.toString()
}

const given = <T>(name: string, value: T | null | '' | undefined) => (value ? { [name]: value } : {})

/** Returns what the API is sent for a choice, given the pairs that this browser watches. */
export function boardSent(view: BoardView, watched: readonly string[]) {
  const { q, exchange, quote, lifecycles, alerts, flags, sort, order, offset, snapshot } = view
  const letters = GRADES.filter((letter) => view.grades.includes(letter.slice(0, 1)))
  return {
    sort,
    order,
    limit: BOARD_ROWS,
    offset,
    ...given('q', q.trim()),
    ...given('exchange', exchange),
    ...given('quote', quote),
    ...given('grade', letters.join(',')),
    ...given('lifecycle', lifecycles.join(',')),
    ...given('alerts', alerts),
    ...given('flags', flags),
    ...(view.watched ? given('token_id', watched.join(',')) : {}),
    ...(offset > 0 ? given('snapshot', snapshot) : {}),
  }
}

/** What a part of the board gets: the choice, and how to change it. */
export interface BoardProps {
  readonly view: BoardView
  readonly onChoose: (change: Partial<BoardView>) => void
}

/** A choice that leaves no row out. */
export const CLEARED = {
  q: '',
  exchange: '',
  quote: '',
  grades: [],
  lifecycles: [],
  alerts: null,
  flags: null,
  watched: false,
} as const satisfies Partial<BoardView>

/** Returns whether a choice leaves rows out. */
export const isFiltered = (view: BoardView): boolean =>
  [view.q.trim(), view.exchange, view.quote].some((text) => text !== '') ||
  view.grades.length + view.lifecycles.length > 0 ||
  view.alerts !== null ||
  view.flags !== null ||
  view.watched
