import { refuse } from '@svc/contract'
import { common } from '@svc/contracts'

/** Refuses a cursor beyond the newest entry of a record. */
export function mustBeReached(since: number, newest: number): void {
  if (since <= newest) return
  const detail = `the record ends with ${newest}: use the place where the last read of this mandate ended, or 0 to begin anew`
  refuse(common.invalidRequest, undefined, {}, [{ pointer: '/query/since', code: 'invalid_cursor', detail }])
}
