import { useState } from 'react'

/** How many rows are kept that are no longer in their list. */
const KEPT_MAX = 20

/** A row, and whether its list still has it. */
interface KeptRow<T> {
  readonly row: T
  readonly isListed: boolean
  /** Differs between a row that left its list and one of the same name that came later. */
  readonly key: string
}

interface Kept<T> {
  readonly row: T
  readonly hasLeft: boolean
}

/**
 * Returns the rows of a list that is read again and again, and behind them those that left it after `keep` was called with
 * them: what became of an act on a row stays on the page, although the act takes the row from the list. It goes when the
 * list has a row of that name again. A list that is null is not known, so that nothing has left it.
 */
export function useKeptRows<T>(
  list: readonly T[] | null,
  nameOf: (row: T) => string,
): { readonly rows: readonly KeptRow<T>[]; readonly keep: (row: T) => void } {
  const [kept, setKept] = useState<readonly Kept<T>[]>([])
  const [returns, setReturns] = useState<ReadonlyMap<string, number>>(new Map())
  const listed = new Set(list?.map(nameOf))
  const isBack = ({ row, hasLeft }: Kept<T>) => hasLeft && listed.has(nameOf(row))
  const isLeaving = ({ row, hasLeft }: Kept<T>) => list !== null && !hasLeft && !listed.has(nameOf(row))
  const back = kept.filter(isBack).map(({ row }) => nameOf(row))
  if (back.length > 0)
    setReturns(new Map([...returns, ...back.map((name) => [name, timesOf(returns, name) + 1] as const)]))
  if (back.length > 0 || kept.some(isLeaving))
    setKept(kept.filter((one) => !isBack(one)).map((one) => (isLeaving(one) ? { ...one, hasLeft: true } : one)))
  const shown = (row: T, isListed: boolean): KeptRow<T> => {
    const name = nameOf(row)
    return { row, isListed, key: `${name} ${timesOf(returns, name)}` }
  }
  return {
    rows: [
      ...(list ?? []).map((row) => shown(row, true)),
      ...kept.filter(({ row }) => !listed.has(nameOf(row))).map(({ row }) => shown(row, false)),
    ],
    keep: (row) =>
      setKept((all) =>
        [...all.filter((one) => nameOf(one.row) !== nameOf(row)), { row, hasLeft: false }].slice(-KEPT_MAX),
      ),
  }
}

const timesOf = (returns: ReadonlyMap<string, number>, name: string): number => returns.get(name) ?? 0
