import { refuse } from '@svc/contract'
import { common } from '@svc/contracts'

/** Where a page begins; null for the first one. Refuses a cursor that no page answered. */
export function pageStart<T>(cursor: string | undefined, read: (cursor: string) => T | null): T | null {
  if (cursor === undefined) return null
  return (
    read(cursor) ??
    refuse(common.invalidRequest, undefined, {}, [
      { pointer: '/query/cursor', code: 'invalid_cursor', detail: 'use next_cursor as it was answered' },
    ])
  )
}

/** The rows of a page of which one more than `limit` was asked for, and the last one where more follow. */
export function pageOf<T>(rows: readonly T[], limit: number): { readonly items: readonly T[]; readonly end: T | null } {
  const items = rows.slice(0, limit)
  return { items, end: rows.length > limit ? (items.at(-1) ?? null) : null }
}
