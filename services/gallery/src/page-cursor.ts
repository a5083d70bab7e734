import { refuse } from '@svc/contract'
import { common } from '@svc/contracts'

/** Returns the opaque cursor of a place in a list. */
export const toCursor = (place: number): string => Buffer.from(String(place)).toString('base64url')

/** Returns the place of a cursor; null without one. Refuses text that `toCursor` did not write. */
export function placeOf(cursor: string | undefined): number | null {
  if (cursor === undefined) return null
  const text = Buffer.from(cursor, 'base64url').toString('utf8')
  if (/^[1-9]\d{0,14}$/.test(text) && toCursor(Number(text)) === cursor) return Number(text)
  return refuse(common.invalidRequest, undefined, {}, [
    { pointer: '/query/cursor', code: 'invalid_cursor', detail: 'send next_cursor of the previous page unchanged' },
  ])
}
