import { refuse } from '@svc/contract'
import { common } from '@svc/contracts'

/** Returns where a page starts; null for the first page. Rejects a cursor that no page returned. */
export function pageStart<T>(cursor: string | undefined, read: (cursor: string) => T | null): T | null {
  if (cursor === undefined) return null
  return (
    read(cursor) ??
    refuse(common.invalidRequest, undefined, {}, [
      { pointer: '/query/cursor', code: 'invalid_cursor', detail: 'send next_cursor of the previous page unchanged' },
    ])
  )
}

/** Splits rows, read with one more than `limit`, into the page and its last row; `end` is null on the last page. */
export function pageOf<T>(rows: readonly T[], limit: number): { readonly items: readonly T[]; readonly end: T | null } {
  const items = rows.slice(0, limit)
  return { items, end: rows.length > limit ? (items.at(-1) ?? null) : null }
}
