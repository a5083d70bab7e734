import { refuse } from '@svc/contract'
import { common } from '@svc/contracts'

/** Returns the id of the last order of the page before, which its cursor is. Refuses any other text. */
export function idOf(cursor: string): number {
  const id = Number(cursor)
  if (Number.isSafeInteger(id) && id > 0) return id
  return refuse(common.invalidRequest, undefined, {}, [
    { pointer: '/cursor', code: 'unknown', detail: 'send next_cursor of the previous page' },
  ])
}

/** Returns a page of the orders that were read, which are one more than `limit` if there is a further page. */
export function pageOf<T extends { readonly id: number }>(orders: readonly T[], limit: number) {
  const items = orders.slice(0, limit)
  const last = items.at(-1)
  return { items, next_cursor: orders.length <= limit || last === undefined ? null : String(last.id) }
}
