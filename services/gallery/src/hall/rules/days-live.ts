/** Days from the first to the last, both included, as days since 1970-01-01. */
export interface Span {
  readonly first: number
  readonly last: number
}

/** Returns the union of spans as spans that do not touch, in rising order. */
export function unionOf(spans: readonly Span[]): readonly Span[] {
  const ordered = spans.filter(({ first, last }) => first <= last).toSorted((a, b) => a.first - b.first)
  const union: { first: number; last: number }[] = []
  for (const { first, last } of ordered) {
    const newest = union.at(-1)
    if (newest !== undefined && first <= newest.last + 1) newest.last = Math.max(newest.last, last)
    else union.push({ first, last })
  }
  return union
}

/** Returns the number of days of a union within a window. */
export const daysWithin = (union: readonly Span[], { first, last }: Span): number =>
  union.reduce((sum, span) => sum + Math.max(0, Math.min(span.last, last) - Math.max(span.first, first) + 1), 0)
