import type { z } from 'zod'

/** An expected failure: a stable code with the texts that the documents and the printer need. */
export interface Refusal {
  /** Stable, snake_case. */
  readonly code: string
  readonly status: number
  /** Short; the same for every occurrence. */
  readonly title: string
  /** When it happens. */
  readonly meaning: string
  /** What the caller can do about it. */
  readonly fix: string
  /** Code under which another part of the API refuses for the same condition. */
  readonly sameAs?: string
  /** Extra members of the problem body. */
  readonly details?: z.ZodObject
}

/** Declares a refusal code. */
export function refusal<const C extends string>(code: C, rest: Omit<Refusal, 'code'>): Refusal & { readonly code: C } {
  return { code, ...rest }
}

/** One invalid member of an input: its place (JSON Pointer, RFC 6901), a machine-readable code and a sentence. */
export interface FieldError {
  readonly pointer: string
  readonly code: string
  readonly detail: string
}

/**
 * Answers a declared refusal when a handler throws it. `detail` is shown to the caller; `members` are added to the
 * problem body unchanged, so they must never contain a secret.
 */
export class RefusalError extends Error {
  override readonly name = 'RefusalError'
  readonly refusal: Refusal
  readonly members: Readonly<Record<string, unknown>>
  readonly errors: readonly FieldError[]
  constructor(
    declared: Refusal,
    detail?: string,
    members: Readonly<Record<string, unknown>> = {},
    errors: readonly FieldError[] = [],
  ) {
    super(detail ?? declared.meaning)
    this.refusal = declared
    this.members = members
    this.errors = errors
  }
}

/** Throws a declared refusal. */
export function refuse(
  declared: Refusal,
  detail?: string,
  members?: Readonly<Record<string, unknown>>,
  errors?: readonly FieldError[],
): never {
  throw new RefusalError(declared, detail, members, errors)
}
