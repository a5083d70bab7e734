/** Rows of a book that share one count, newest first in each list. */
export interface Entries<F, G, E> {
  readonly fills: readonly F[]
  readonly funding: readonly G[]
  readonly equity: readonly E[]
}
interface Numbered {
  readonly seq: number
}

/**
 * Cuts the newest entries of three lists to `limit` of them together. Returns with them the number before which the next
 * page begins; null if nothing is left.
 */
export function newestOf<F extends Numbered, G extends Numbered, E extends Numbered>(
  lists: Entries<F, G, E>,
  limit: number,
): { readonly page: Entries<F, G, E>; readonly next: number | null } {
  const numbers = [...lists.fills, ...lists.funding, ...lists.equity].map(({ seq }) => seq).toSorted((a, b) => b - a)
  const last = numbers[limit - 1]
  if (last === undefined || numbers.length === limit) return { page: lists, next: null }
  const kept = <T extends Numbered>(rows: readonly T[]) => rows.filter(({ seq }) => seq >= last)
  return {
    page: { fills: kept(lists.fills), funding: kept(lists.funding), equity: kept(lists.equity) },
    next: last,
  }
}
