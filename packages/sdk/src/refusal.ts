import type { RefusalBlock } from './generated/types.ts'

/** One judged clause of a mandate. */
export type Verdict = RefusalBlock['verdicts'][number]

/** Body of a refusal: problem details (RFC 9457) with the members of the code. */
export interface ProblemBody {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly instance: string
  readonly code: string
  readonly request_id: string
  readonly errors?: readonly { readonly pointer: string; readonly code: string; readonly detail: string }[]
  readonly [member: string]: unknown
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The service refused a call. Nothing has changed, unless the code says otherwise. */
export class RefusalError extends Error {
  override readonly name = 'RefusalError'
  readonly operation: string
  /** Stable word; `GET /problems/{code}` says what it means and how to fix it. */
  readonly code: string
  readonly status: number
  /** Id of the request; name it when you report a problem. */
  readonly requestId: string
  /** Members of the input that are invalid, each with its fix. */
  readonly errors: NonNullable<ProblemBody['errors']>
  /** Milliseconds after which a repetition may succeed; null if the service names no time. */
  readonly retryAfterMs: number | null
  /** The whole body. */
  readonly problem: ProblemBody

  constructor(operation: string, problem: ProblemBody, retryAfterMs: number | null) {
    const members = (problem.errors ?? []).map(({ pointer, detail }) => ` ${pointer}: ${detail}`)
    super(`${operation}: ${problem.status} ${problem.code}: ${problem.detail}${members.join('')}`)
    this.operation = operation
    this.code = problem.code
    this.status = problem.status
    this.requestId = problem.request_id
    this.errors = problem.errors ?? []
    this.retryAfterMs = retryAfterMs
    this.problem = problem
  }

  /** The judgement of a mandate, which says what would pass; null if no mandate refused. */
  get judgement(): RefusalBlock | null {
    const found = [this.problem['refusal'], this.problem['judgement']].find(
      (block) => isObject(block) && Array.isArray(block['verdicts']),
    )
    return found === undefined ? null : (found as RefusalBlock)
  }

  /** The verdict of each clause of the mandate; empty if no mandate refused. */
  get verdicts(): readonly Verdict[] {
    return this.judgement?.verdicts ?? []
  }
}

/** No answer came: the connection failed, or the time was over. Whether the call had its effect is unknown. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError'
  readonly operation: string
  readonly tries: number
  /** What may help where more than the network may be the reason: in a page whose answers the browser hides. */
  readonly fix: string | null

  /** `page` is the origin of a page from which the service may not be called. */
  constructor(operation: string, tries: number, cause: unknown, page: string | null = null) {
    const fix = page === null ? null : fixFor(page)
    super(`${operation}: no answer after ${tries} ${tries === 1 ? 'try' : 'tries'}${fix === null ? '' : `. ${fix}`}`, {
      cause,
    })
    this.operation = operation
    this.tries = tries
    this.fix = fix
  }
}

const fixFor = (page: string) =>
  `The browser hides answers to calls with a key, a session or a body from pages of ${page}, unless the service allows them (CORS): ask its operator to add ${page} to SVC_WEB_ORIGINS, or call from a program that is no page.`

/** Returns the refusal in an answer; an answer of something between client and service gets the code `not_the_service`. */
export function refusalOf(operation: string, response: Response, body: unknown): RefusalError {
  const { status, headers } = response
  const problem =
    isObject(body) && typeof body['code'] === 'string'
      ? (body as unknown as ProblemBody)
      : {
          type: 'about:blank',
          title: 'No problem details',
          status,
          detail: `the answer has status ${status} and is not of the service: check the base URL and proxies`,
          instance: new URL(response.url || 'http://localhost/').pathname,
          code: 'not_the_service',
          request_id: headers.get('x-request-id') ?? '',
        }
  return new RefusalError(operation, problem, retryAfterOf(headers))
}

/** Returns the milliseconds of a Retry-After header, which names seconds or a date; null without a readable one. */
export function retryAfterOf(headers: Headers, now = Date.now()): number | null {
  const text = headers.get('retry-after')
  if (text === null) return null
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now
  return Number.isNaN(ms) ? null : Math.max(0, ms)
}
