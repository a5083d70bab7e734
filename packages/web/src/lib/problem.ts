/** A fault of one member of a request. */
export interface MemberFault {
  /** JSON pointer of the member: `#/figures/budget`. */
  readonly pointer: string
  readonly detail: string
}

/** A failed call: a refusal or an outage of the service as its problem details say, or no answer at all. */
export class Problem extends Error {
  /** HTTP status; 0 when no answer came. */
  readonly status: number
  /** Code of the refusal; `offline` when no answer came, `unreadable` for an answer of no known form. */
  readonly code: string
  readonly title: string
  /** What the caller can do; null if the service says nothing. */
  readonly fix: string | null
  readonly faults: readonly MemberFault[]
  readonly requestId: string | null
  /** RFC 3339; null unless the service says when to come back. */
  readonly retryAt: string | null
  /** The whole body: refusals may have members of their own. */
  readonly body: Readonly<Record<string, unknown>>

  constructor(status: number, body: Readonly<Record<string, unknown>>, headers: Headers | null) {
    const detail = textOf(body['detail'])
    const title = textOf(body['title']) ?? ''
    super(detail ?? title)
    this.name = 'Problem'
    this.status = status
    this.code = textOf(body['code']) ?? 'unreadable'
    this.title = title
    this.fix = textOf(body['fix'])
    this.faults = faultsOf(body['errors'])
    this.requestId = textOf(body['request_id']) ?? headers?.get('x-request-id') ?? null
    this.retryAt = textOf(body['retry_at'])
    this.body = body
  }
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

function faultsOf(errors: unknown): MemberFault[] {
  if (!Array.isArray(errors)) return []
  return errors.flatMap((one: unknown) => {
    if (typeof one !== 'object' || one === null) return []
    const pointer = textOf(Reflect.get(one, 'pointer'))
    return pointer === null ? [] : [{ pointer, detail: textOf(Reflect.get(one, 'detail')) ?? '' }]
  })
}

/** Returns the problem of a call that got no answer. */
export const noAnswer = (): Problem => new Problem(0, { code: 'offline', title: '' }, null)

/** Returns true for failures that a later attempt may not have: outages, and answers that never came. */
export const mayPass = (error: unknown): boolean =>
  error instanceof Problem && (error.status === 0 || error.status >= 500)
