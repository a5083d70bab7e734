import type { Faults } from './faults.ts'

/** Lists are looked for to this depth; rows of a list are not looked into. */
const DEPTH_MAX = 4
/** Members by which rows of a list are told apart. */
const NAMES = new Set(['symbol', 'id', 'market', 'currency_pair', 'currency', 'code', 'annId', 'url', 'pc_url'])
/** Times are numbers within this distance of the venue's clock. */
const NEAR_MS = 40 * 86_400_000
const YEAR_MS = 365 * 86_400_000

type Row = Readonly<Record<string, unknown>>
type RowManner = NonNullable<Faults['oddRows']>['manner']
type TimeManner = NonNullable<Faults['oddTimes']>

const isObject = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns an answer with its lists changed; lists of one row, as wrappers, are looked into. */
function withLists(answer: unknown, change: (list: readonly unknown[]) => unknown[], depth = 0): unknown {
  if (Array.isArray(answer)) {
    const wraps = answer.length === 1 && isObject(answer[0]) && Object.values(answer[0]).some(Array.isArray)
    return wraps ? answer.map((one) => withLists(one, change, depth + 1)) : change(answer)
  }
  if (!isObject(answer) || depth >= DEPTH_MAX) return answer
  return Object.fromEntries(Object.entries(answer).map(([name, one]) => [name, withLists(one, change, depth + 1)]))
}

const oddRow: Readonly<Record<RowManner, (row: unknown) => unknown>> = {
  null: () => null,
  nameless: (row) =>
    isObject(row) ? Object.fromEntries(Object.entries(row).filter(([name]) => !NAMES.has(name))) : null,
  half: (row) => (isObject(row) ? Object.fromEntries(Object.entries(row).filter(([name]) => NAMES.has(name))) : null),
}

/** Returns an answer in whose lists the first rows are odd. */
export function withOddRows(answer: unknown, { manner, count }: NonNullable<Faults['oddRows']>): unknown {
  return withLists(answer, (list) => list.map((row, place) => (place < count ? oddRow[manner](row) : row)))
}

const oddTime: Readonly<Record<TimeManner, (at: number) => number>> = {
  seconds: (at) => Math.floor(at / 1_000),
  microseconds: (at) => at * 1_000,
  nanoseconds: (at) => at * 1_000_000,
  year_ahead: (at) => at + YEAR_MS,
  year_2100: () => Date.UTC(2100, 0, 1),
}

/** Returns an answer in whose lists the times of the first row are in another unit, or of another time. */
export function withOddTimes(answer: unknown, manner: TimeManner, now: number): unknown {
  const odd = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(odd)
    if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, odd(one)]))
    const at = typeof value === 'string' ? Number(value || Number.NaN) : value
    if (typeof at !== 'number' || !(Math.abs(at - now) < NEAR_MS)) return value
    const made = oddTime[manner](at)
    return typeof value === 'string' ? String(made) : made
  }
  return withLists(answer, (list) => list.map((row, place) => (place === 0 ? odd(row) : row)))
}
