import { z } from 'zod'
import type { Refusal } from './refusal.ts'
import type { SettingDeclaration } from './setting.ts'

/**
 * Who may call an operation.
 * `open` needs no credential; `agent`/`owner` need an account of that kind; `account` takes either;
 * `reviewer`, `admin` and `keeper` need a session with that role; `service` is not reachable from
 * outside: only the services named in `callers` may ask, which NATS permissions enforce.
 */
export type Auth = 'open' | 'agent' | 'owner' | 'account' | 'reviewer' | 'admin' | 'keeper' | 'service'

/** What an API key is allowed to do. Owner sessions hold `read` and `write`. */
export type Scope = 'read' | 'write' | 'tx'

/** Subscription tier, 0 = Free. */
export type Tier = 0 | 1 | 2

/**
 * Which rate rule counts a call: a named bucket of the gateway's limiter. `hub_read`, `hub_write` and
 * `hub_exit` (an owner's ways out, which no other traffic may use up) count per minute instead of per day; so does
 * `account` (keys, sessions and the subscription itself), which stays open to who is out of its daily requests.
 */
export type LimitRule = 'daily' | 'account' | 'hub_read' | 'hub_write' | 'hub_exit' | 'none'

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** A switch without which a route does nothing: the edge answers for it before it looks at who asks. */
export interface Flag {
  /** A switch that the gateway declares as well; a live one is read on every request. */
  readonly setting: SettingDeclaration
  /** Answer while the switch is off: a refusal that the operation declares, or one of its success statuses with a body. */
  readonly whenOff: Refusal | { readonly status: number; readonly body: unknown }
}

/** What a service author writes; `contract()` adds the names that follow from its place. */
export interface OperationDeclaration {
  /** One line, imperative; printed in the OpenAPI document and in tool lists. */
  readonly summary: string
  /** Optional longer text: what a caller must know beyond the schemas. */
  readonly description?: string
  readonly auth: Auth
  /** Services that may call an operation with auth `service`. */
  readonly callers?: readonly string[]
  /** Scope an API key needs; default `read` for GET and `write` otherwise. */
  readonly scope?: Scope
  /** Lowest tier that may call; default 0. */
  readonly tier?: Tier
  readonly flag?: Flag
  readonly input: z.ZodObject
  /** Schema of the body per success status. */
  readonly success: { readonly [status: number]: z.ZodType }
  /** Every expected failure of the handler; those of the edge are added by the printers. */
  readonly refusals?: readonly Refusal[]
  /** `METHOD /path/{name}`: names in the path, then the query for GET, the body otherwise. */
  readonly http?: `${HttpMethod} /${string}`
  /** Names the MCP tool that calls this operation. */
  readonly tool?: string
  /** Default `daily`. */
  readonly limit?: LimitRule
  /** Accepts `Idempotency-Key`; the handler must do all its writes inside one `call.effect`. */
  readonly idempotent?: boolean
  /** The answer carries a secret: it is never stored, logged or replayed. */
  readonly secret?: boolean
  /**
   * The handler learns by which session or key its caller comes. Every other call leaves `session_id` and `key_id` out:
   * the id of a session names what a forged token would need.
   */
  readonly knowsCredential?: boolean
  /** The call may change the caller's own tier, roles or keys: the edge forgets what it cached of the caller. */
  readonly changesCaller?: boolean
  /** A snapshot read: the edge adds an `ETag`, answers 304, and lets caches keep it this long. */
  readonly cacheSec?: number
  /** The answer depends on the input and on whether there is a caller, not on who it is: the edge may give one answer to many for `cacheSec`. */
  readonly sharedAnswer?: boolean
  /**
   * Media type of a stored file that an answer may name in its member `file` (schema `storedFile`): the edge
   * sends the file's bytes instead of the body. Answers without that member are sent as JSON.
   */
  readonly file?: string
  /**
   * Input members that the edge fills in when `Accept` asks for the media type of `file` before JSON and the caller
   * left them out: `{ format: 'pdf' }`.
   */
  readonly whenFileAccepted?: Readonly<Record<string, string>>
  /** Serves this cursor read as Server-Sent Events that do not end. */
  readonly stream?: StreamDeclaration
  /** Where the input travels when the rule (GET: query, else body) does not fit. */
  readonly placement?: 'body-or-query'
  /** Milliseconds the whole call may take, default 10 000. */
  readonly timeoutMs?: number
}

/**
 * A cursor read as Server-Sent Events. The operation takes `since`, the last `seq` already seen, and answers
 * `{ items: [{ seq, … }], … }`; the edge asks it again whenever one of the events is heard whose payload agrees
 * with the names in the path, and sends each item once, in order, under its `seq`.
 */
export interface StreamDeclaration {
  /** Events of the same service after which there may be something new. */
  readonly wokenBy: readonly string[]
}

/** A file in the object store of a service, as an answer names it. */
export const storedFile = z.object({
  bucket: z
    .string()
    .regex(/^[a-z-]{1,40}$/)
    .max(40),
  name: z.string().min(1).max(200),
  bytes: z.int().min(0).max(Number.MAX_SAFE_INTEGER),
  /** Hex. */
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .max(64),
  /** What a browser should call it: letters, digits, dots, dashes and underscores. */
  filename: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,120}$/)
    .max(120),
})
export type StoredFile = z.output<typeof storedFile>

/** A declared operation with its place in the product. */
export type Operation<D extends OperationDeclaration = OperationDeclaration> = D & {
  readonly service: string
  readonly key: string
}

/** Throws when a switch answers what the operation does not declare: documents and clients would not know it. */
function requireDeclaredAnswer({ summary, refusals, success }: OperationDeclaration, { whenOff }: Flag): void {
  const declared =
    'code' in whenOff
      ? whenOff.code === 'not_found' || refusals?.includes(whenOff) === true
      : success[whenOff.status]?.safeParse(whenOff.body).success === true
  if (!declared) throw new Error(`operation "${summary}": its switch answers what is not declared`)
}

/** Declares an operation; it becomes usable once listed in a `contract()`. */
export function operation<const D extends OperationDeclaration>(declaration: D): D {
  const { auth, callers, http } = declaration
  if ((auth === 'service') !== (callers !== undefined)) {
    throw new Error(`operation "${declaration.summary}": auth "service" and "callers" go together`)
  }
  if (auth === 'service' && http !== undefined) {
    throw new Error(`operation "${declaration.summary}": a service operation has no HTTP route`)
  }
  if (declaration.sharedAnswer === true && (auth !== 'open' || declaration.cacheSec === undefined)) {
    throw new Error(`operation "${declaration.summary}": only an open snapshot read can share its answers`)
  }
  if (declaration.flag !== undefined) requireDeclaredAnswer(declaration, declaration.flag)
  if (declaration.stream !== undefined && !Object.hasOwn(declaration.input.shape, 'since')) {
    throw new Error(`operation "${declaration.summary}": a streamed read takes "since"`)
  }
  return declaration
}

/** Parsed input of an operation, as its handler receives it. */
export type InputOf<D extends OperationDeclaration> = z.output<D['input']>

/** Input of an operation as a caller may write it (defaults left out). */
export type RequestOf<D extends OperationDeclaration> = z.input<D['input']>

/** What a handler returns: one of the declared statuses with its body. */
export type AnswerOf<D extends OperationDeclaration> = {
  [S in keyof D['success'] & number]: { readonly status: S; readonly body: z.input<D['success'][S]> }
}[keyof D['success'] & number]

/** Body of any success answer, as a client receives it. */
export type BodyOf<D extends OperationDeclaration> = {
  [S in keyof D['success'] & number]: z.output<D['success'][S]>
}[keyof D['success'] & number]

/** Builds the answer of a handler: `return ok(202, { ok: true, … })`. */
export function ok<const S extends number, B>(status: S, body: B): { readonly status: S; readonly body: B } {
  return { status, body }
}

/** The scope an API key needs for an operation. */
export function scopeOf(declaration: OperationDeclaration): Scope {
  return declaration.scope ?? (declaration.http?.startsWith('GET ') ? 'read' : 'write')
}
