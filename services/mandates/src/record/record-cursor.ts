import { refuse } from '@svc/contract'
import { common } from '@svc/contracts'

/** Rejects a cursor beyond the newest entry of a record. */
export function mustBeReached(since: number, newest: number): void {
  if (since <= newest) return
  const detail = `the record ends with ${newest}: send next_since of the last read of this mandate, or 0 to start again`
  refuse(common.invalidRequest, undefined, {}, [{ pointer: '/query/since', code: 'invalid_cursor', detail }])
}
