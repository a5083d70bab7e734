import { isUnreadable } from '@svc/contracts/market-data/answer-rows'

/** Members that name the row of a list at one venue or another. */
const NAMES = ['symbol', 'id', 'market', 'currency_pair', 'instId', 'currency', 'coin', 'baseCoin'] as const

/** Wrappers around a list are looked into to this depth; rows of a list are not. */
const DEPTH_MAX = 4

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isNamed = (row: unknown, name: string): boolean => {
  const value = isObject(row) ? row[name] : undefined
  return (typeof value === 'string' && value !== '') || typeof value === 'number'
}

/** Returns a check for the rows of a list; null if its members have no common form. */
function formOf(list: readonly unknown[]): ((row: unknown) => boolean) | null {
  const objects = list.filter(isObject).length
  const arrays = list.filter((row) => Array.isArray(row)).length
  const nulls = list.filter((row) => row === null).length
  if (objects + arrays === 0 || objects + arrays + nulls < list.length) return null
  if (arrays > objects) return (row) => Array.isArray(row)
  const name = NAMES.find((one) => list.filter((row) => isNamed(row, one)).length > objects / 2)
  return name === undefined ? isObject : (row) => isNamed(row, name)
}

/**
 * Removes from the lists of an answer, in place, what is no row: null between objects, or a row without the name that the
 * others have, at which ccxt would fail for the whole answer. Returns how many it removed. Throws `SyntaxError` if a list has
 * too many of them.
 */
export function dropBareRows(answer: unknown, depth = 0): number {
  if (!Array.isArray(answer)) {
    if (!isObject(answer) || depth >= DEPTH_MAX) return 0
    return Object.values(answer).reduce<number>((sum, one) => sum + dropBareRows(one, depth + 1), 0)
  }
  const isRow = formOf(answer)
  if (isRow === null) return 0
  const rows: unknown[] = answer.filter(isRow)
  const bare = answer.length - rows.length
  if (bare === 0) return 0
  if (isUnreadable(answer.length, bare))
    throw new SyntaxError(`${bare} of ${answer.length} rows of the answer cannot be read`)
  answer.length = 0
  for (const row of rows) answer.push(row)
  return bare
}
