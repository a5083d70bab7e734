import type { HallSort, HallWindow } from '@svc/contracts/gallery/hall'

/** What a visitor chose on the page of the Hall. */
export interface HallView {
  readonly window: HallWindow
  readonly sort: HallSort
  readonly accepting: boolean
  readonly operator: 'signal' | 'vault' | null
  readonly offset: number
}

export const WINDOWS: readonly HallWindow[] = ['7d', '30d', '90d', 'all']
export const SORTS: readonly HallSort[] = ['days_live', 'worth_change', 'adherence', 'trades', 'drawdown']
/** Rows of one page. */
export const HALL_ROWS = 50

const START: HallView = { window: 'all', sort: 'days_live', accepting: false, operator: null, offset: 0 }

const oneOf = <T extends string>(words: readonly T[], word: string | null): T | null =>
  words.find((one) => one === word) ?? null

/** Reads the choice from the query of the page's address; what it does not know is left out. */
export function hallViewOf(query: string): HallView {
  const given = new URLSearchParams(query)
  const offset = Number(given.get('offset'))
  return {
    window: oneOf(WINDOWS, given.get('window')) ?? START.window,
    sort: oneOf(SORTS, given.get('sort')) ?? START.sort,
    accepting: given.get('accepting') === '1',
    operator: oneOf(['signal', 'vault'], given.get('operator')),
    offset: Number.isInteger(offset) && offset > 0 && offset <= 1_000_000 ? offset : 0,
  }
}

/** Returns the query of the page's address for a choice; empty for the first one. */
export function hallAddressQuery(view: HallView): string {
  const members = new URLSearchParams()
  if (view.window !== START.window) members.set('window', view.window)
  if (view.sort !== START.sort) members.set('sort', view.sort)
  if (view.accepting) members.set('accepting', '1')
  if (view.operator !== null) members.set('operator', view.operator)
  if (view.offset > 0) members.set('offset', String(view.offset))
  return members.toString()
}

/** Returns what the API is sent for a choice. */
export const hallSent = ({ window, sort, accepting, operator, offset }: HallView) => ({
  window,
  sort,
  limit: HALL_ROWS,
  offset,
  ...(accepting ? { accepting: '1' as const } : {}),
  ...(operator === null ? {} : { operator }),
})
