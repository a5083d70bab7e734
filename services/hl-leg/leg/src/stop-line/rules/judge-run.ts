/** How an order of a closing ended. */
export type CloseEnd =
  | { readonly kind: 'filled' | 'partial'; readonly size: string; readonly averagePrice: string }
  /** The order is at the venue, and what became of it is not known yet. */
  | { readonly kind: 'unknown' }
  /** Nothing was executed for a reason that may pass: an empty book, a limit of requests. */
  | { readonly kind: 'passing'; readonly reason: string }
  /** The venue refuses, and will again until a person acts. */
  | { readonly kind: 'refused'; readonly reason: string }

/** What a run of a closing leaves behind. */
export interface RunVerdict {
  /** A position is left that the next run may close. */
  readonly transient: boolean
  /** What a person must know now, in the venue's words. */
  readonly refused: readonly string[]
}

/** Judges a run by how its orders ended and by the positions that are left; `left` is null while they are unknown. */
export function judgeRun(ends: readonly CloseEnd[], left: number | null): RunVerdict {
  if (left === 0) return { transient: false, refused: [] }
  const refused = ends.flatMap((end) => (end.kind === 'refused' ? [end.reason] : []))
  return { transient: refused.length === 0, refused: [...new Set(refused)] }
}
