import type { z } from 'zod'

/** A list of which more than this share cannot be read is rejected: its form has changed. */
export const UNREAD_SHARE_MAX = 0.2

/**
 * Returns whether too many rows of a list are unreadable: all of them, or more than a fifth. A single one among others is
 * never too many.
 */
export const isUnreadable = (rows: number, unread: number): boolean =>
  unread > 0 && (unread === rows || (unread > 1 && unread > rows * UNREAD_SHARE_MAX))

/** Reads the lists of one answer row by row, so that a row that cannot be read costs itself alone. */
export interface RowReader {
  /**
   * Returns what the schema makes of each row; rows that it or `holds` rejects are left out and counted. Throws
   * `SyntaxError` if the value is no list, or if too many rows are unreadable.
   */
  list<S extends z.ZodType>(raw: unknown, row: S, holds?: (one: z.output<S>) => boolean): z.output<S>[]
  /** Does the same with the members of an object; returns them with their names. */
  members<S extends z.ZodType>(raw: unknown, row: S): [name: string, z.output<S>][]
  /** Counts a row that its caller left out. */
  leaveOut(): void
  /** Rows that were left out. */
  readonly leftOut: number
}

/** Returns a reader for one answer. */
export function rowReader(): RowReader {
  let leftOut = 0
  const each = <S extends z.ZodType>(
    rows: readonly (readonly [string, unknown])[],
    row: S,
    holds: (one: z.output<S>) => boolean = () => true,
  ) => {
    const read = rows.flatMap(([name, one]): [string, z.output<S>][] => {
      const parsed = row.safeParse(one)
      return parsed.success && holds(parsed.data) ? [[name, parsed.data]] : []
    })
    const unread = rows.length - read.length
    if (isUnreadable(rows.length, unread))
      throw new SyntaxError(`${unread} of ${rows.length} rows of the answer cannot be read`)
    leftOut += unread
    return read
  }
  return {
    list: (raw, row, holds) => {
      if (!Array.isArray(raw)) throw new SyntaxError('the answer is not a list')
      return each(
        raw.map((one: unknown) => ['', one] as const),
        row,
        holds,
      ).map(([, one]) => one)
    },
    members: (raw, row) => {
      if (typeof raw !== 'object' || raw === null || Array.isArray(raw))
        throw new SyntaxError('the answer is not an object')
      return each(Object.entries(raw), row)
    },
    leaveOut: () => {
      leftOut += 1
    },
    get leftOut() {
      return leftOut
    },
  }
}
