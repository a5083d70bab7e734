import { refuse } from '@svc/contract'
import { common } from '@svc/contracts'

/** Returns the mandate that a request names by one of two members, and refuses none or both. */
export function mandateNamed({
  mandate_id,
  public_id,
}: {
  readonly mandate_id?: string | undefined
  readonly public_id?: string | undefined
}): string {
  const [mandateId, ...others] = [mandate_id, public_id].filter((one) => one !== undefined)
  if (mandateId !== undefined && others.length === 0) return mandateId
  const error = { pointer: '/public_id', code: 'exactly_one', detail: 'give public_id or mandate_id, and not both' }
  return refuse(common.invalidRequest, undefined, {}, [error])
}
