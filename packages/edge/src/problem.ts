import { common } from '@svc/contracts'
import type { FieldError, Refusal } from '@svc/contract'

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8'
const QUOTA_TYPE = 'https://iana.org/assignments/http-problem-types#quota-exceeded'

export interface ProblemInput {
  readonly refusal: Pick<Refusal, 'code' | 'status' | 'title' | 'meaning'>
  readonly detail?: string | undefined
  readonly instance: string
  readonly requestId: string
  readonly errors?: readonly FieldError[] | undefined
  readonly members?: Readonly<Record<string, unknown>> | undefined
}

/** Returns the RFC 9457 body of a failure. */
export function problem(input: ProblemInput): Record<string, unknown> {
  const { refusal } = input
  const standard = {
    type: refusal.code === common.rateLimited.code ? QUOTA_TYPE : `/problems/${refusal.code}`,
    title: refusal.title,
    status: refusal.status,
    detail: input.detail ?? refusal.meaning,
    instance: input.instance,
    ok: false,
    code: refusal.code,
    request_id: input.requestId,
  }
  // Listed twice: the first fixes the order, and the second prevents `members` from replacing a standard member.
  return {
    ...standard,
    ...(input.errors === undefined || input.errors.length === 0 ? {} : { errors: input.errors }),
    ...input.members,
    ...standard,
  }
}

/** Ends a request at the edge with a refusal, which the error handler prints. */
export class EdgeRefusal extends Error {
  override readonly name = 'EdgeRefusal'
  readonly refusal: Refusal
  readonly errors: readonly FieldError[]
  readonly members: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>
  constructor(
    refusal: Refusal,
    options: {
      detail?: string
      errors?: readonly FieldError[]
      members?: Readonly<Record<string, unknown>>
      headers?: Readonly<Record<string, string>>
    } = {},
  ) {
    super(options.detail ?? refusal.meaning)
    this.refusal = refusal
    this.errors = options.errors ?? []
    this.members = options.members ?? {}
    this.headers = options.headers ?? {}
  }
}
