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
