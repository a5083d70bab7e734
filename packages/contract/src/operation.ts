import { z } from 'zod'
import type { Refusal } from './refusal.ts'
import type { SettingDeclaration } from './setting.ts'

/**
 * Who may call an operation.
 * `open` requires no credential; `agent` and `owner` require an account of that kind; `account` accepts either;
 * `reviewer`, `admin` and `keeper` require a session with that role; `service` is not reachable from outside: only the
 * services in `callers` may call, which NATS permissions enforce.
 */
export type Auth = 'open' | 'agent' | 'owner' | 'account' | 'reviewer' | 'admin' | 'keeper' | 'service'

/** Permission of an API key. Owner sessions have `read` and `write`, and pass where keys need `tx`. */
export type Scope = 'read' | 'write' | 'tx'

/** Subscription tier, 0 = Free. */
export type Tier = 0 | 1 | 2

/**
 * Bucket of the gateway's limiter that counts a call. `hub_read`, `hub_write`, `hub_exit` (an owner's exits, which no
 * other traffic may use up) and `account` (keys, sessions and the subscription) count per minute instead of per day. An
 * account without daily requests left can still use them.
 */
export type LimitRule = 'daily' | 'account' | 'hub_read' | 'hub_write' | 'hub_exit' | 'none'

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** A switch that a route depends on. While it is off, the edge answers the route before it checks the caller. */
export interface Flag {
  /** Must be declared by the gateway too; a live setting is read on every request. */
  readonly setting: SettingDeclaration
  /**
   * Answer while the switch is off: a declared refusal of the operation, or one of its success statuses with a body.
   */
  readonly whenOff: Refusal | { readonly status: number; readonly body: unknown }
}

/**
 * An old name that is still served, of a whole route or of members of its answers. The edge announces it in the headers
 * `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and `Link`, and lists it at `/deprecations`.
 */
export interface Deprecation {
  /** Day on which the old name was deprecated, `2026-11-22`. */
  readonly since: string
  /** First day on which the old name may be gone; at least half a year after `since`. */
  readonly sunset: string
  /** Path that replaces the old one; its parameters are those of the old path. For old members the path itself. */
  readonly successor: `/${string}`
  /**
   * Old members of the answers, each with the name of the member that replaces it. Their schemas say `deprecated` too.
   * Absent if the whole route is old.
   */
  readonly members?: Readonly<Record<string, string>>
}

/**
 * A secret of a call that a page keeps in a cookie which its scripts cannot read. It applies to requests with the header
 * `X-SVC-Session: cookie`, which the edge accepts from the web origin alone.
 */
export interface SecretCookie {
  /** Name of the cookie. */
  readonly name: string
  /** Browsers send the cookie to this path and to those below it. */
  readonly path: `/${string}`
  /** Member of the input that the cookie brings, and of the answer that it takes away. */
  readonly member: string
  /** Life of the cookie in the browser, seconds. */
  readonly maxAgeSec: number
  /** A cookie without a secret, set and removed with this one, by which scripts of pages below a path see that it exists. */
  readonly sign: { readonly name: string; readonly path: `/${string}` }
  /** A success of this operation removes the cookie. */
  readonly ends?: true
}

/**
 * A read that costs Cherry. Its refusal with status 402 has the member `offer`, which the edge repeats in the header
 * `PAYMENT-REQUIRED` (x402, version 2); a payment of it arrives in the header `PAYMENT-SIGNATURE`, and `PAYMENT-RESPONSE`
 * says what became of it.
 */
export interface Payment {
  /** Member of the input that names the offer which the caller pays; the header of a payment brings it. */
  readonly offer: string
  /** Member of the answer that says what the call cost. */
  readonly charged: string
}

/** Declaration of an operation as a service author writes it; `contract()` adds the service and the key. */
export interface OperationDeclaration {
  /** One line, imperative; printed in the OpenAPI document and in tool lists. */
  readonly summary: string
  /** Longer text: what a caller must know that the schemas do not say. */
  readonly description?: string
  readonly auth: Auth
  /** Services that may call an operation with auth `service`. */
  readonly callers?: readonly string[]
  /** Scope that an API key must have; default `read` for GET and `write` otherwise. */
  readonly scope?: Scope
  /** Lowest tier that may call; default 0. */
  readonly tier?: Tier
  /**
   * Name of an input member in which an owner session names one of its paired agents. The edge lets owners pass; the handler
   * requires the pairing, and the tier of that agent, or that of the owner without the member.
   */
  readonly tierOfAgent?: string
  readonly flag?: Flag
  readonly input: z.ZodObject
  /** Schema of the body for each success status. */
  readonly success: { readonly [status: number]: z.ZodType }
  /** Every expected failure of the handler; the printers add those of the edge. */
  readonly refusals?: readonly Refusal[]
  /**
   * `METHOD /path/{name}`. Input members named in the path travel there; the others travel in the query for GET,
   * otherwise in the body.
   */
  readonly http?: `${HttpMethod} /${string}`
  /** Name of the MCP tool that calls this operation. */
  readonly tool?: string
  /** Title of the tool for people, where its name alone does not make one. */
  readonly toolTitle?: string
  /** The tool begins work that may outlive its call. */
  readonly task?: TaskDeclaration
  /** Clients of MCP read this GET as the resource `svc:/` + path. */
  readonly resource?: true
  /** The tool is neither listed nor callable while one of these switches is off; the route stays as `flag` says. */
  readonly toolSwitches?: readonly SettingDeclaration[]
  /**
   * What a call changes, if its method does not say it: `none` for a POST that only reads; `write` for a GET that may store
   * something; `money` for a call that moves or commits money, whose input has `dry_run`.
   */
  readonly effect?: 'none' | 'write' | 'money'
  /** What a call of the tool may lose, and what bounds it, in a sentence; every tool with `effect: money` says it. */
  readonly mayLose?: string
  /** The call only brings the caller something, such as a gift, although it moves money outside. */
  readonly onlyGives?: true
  /** The call acts on, or reads from, a chain or a venue outside this platform. */
  readonly reaches?: 'outside'
  /** Default `daily`. */
  readonly limit?: LimitRule
  /** Name of a boolean member of the body: calls in which it is true count as an exit (`hub_exit`) instead of `limit`. */
  readonly exitWhen?: string
  /**
   * Optional member of the answer that the edge adds, which counts them: `limit`, `used` and `remaining` of the requests of the
   * day, and `resets_at`.
   */
  readonly dailyUse?: string
  /** Accepts `Idempotency-Key`; the handler must do all its writes inside one `call.effect`. */
  readonly idempotent?: boolean
  /**
   * The handler stores the Idempotency-Key itself, with what it began: the kit claims no key and replays no answer. For
   * work that outlives its call.
   */
  readonly keepsKey?: boolean
  /** The answer contains a secret: it is never stored, logged or replayed. */
  readonly secret?: boolean
  /** A member of the input or of the answer travels in a cookie if the request asks for it. */
  readonly cookie?: SecretCookie
  /**
   * Passes the caller's `session_id` and `key_id` to the handler. Other operations receive null for both, because the
   * id of a session names what a forged token would need.
   */
  readonly knowsCredential?: boolean
  /** The call may change the tier, roles or keys of its caller, so the edge drops its cached entry of the caller. */
  readonly changesCaller?: boolean
  /**
   * Marks a snapshot read: the edge adds an `ETag`, answers 304, and lets caches keep the answer for this many seconds.
   */
  readonly cacheSec?: number
  /**
   * The answer depends only on the input and on whether there is a caller. The edge may reuse one answer for many
   * callers for `cacheSec`.
   */
  readonly sharedAnswer?: boolean
  /**
   * Media type of the stored file that an answer may name in its member `file` (schema `storedFile`). The edge sends
   * the bytes of the file instead of the body. Answers without that member are sent as JSON.
   */
  readonly file?: string
  /**
   * Input members that the edge adds if the caller omits them and its `Accept` prefers the media type of `file` to
   * JSON, such as `{ format: 'pdf' }`.
   */
  readonly whenFileAccepted?: Readonly<Record<string, string>>
  /** Serves this cursor read as an endless stream of Server-Sent Events. */
  readonly stream?: StreamDeclaration
  /** Overrides where the input travels (default: query for GET, otherwise body). */
  readonly placement?: 'body-or-query'
  /** The route, or members of its answers, are old names that will go. */
  readonly deprecated?: Deprecation
  /**
   * Serves one member of the answer, an array, alone and under its own media type to callers whose `Accept` prefers
   * it. If the answer has `next_since`, the header `Link` names the next page.
   */
  readonly listAs?: { readonly type: string; readonly member: string }
  /**
   * Serves a list of the answer as CSV to callers that send `format=csv`, or whose `Accept` prefers `text/csv`. Each row begins
   * with the members of the answer that `head` names.
   */
  readonly csv?: { readonly list: string; readonly head: readonly string[] }
  /** The read may cost Cherry, and is paid for over x402. */
  readonly payment?: Payment
  /** Time limit of the whole call, milliseconds; default 10 000. */
  readonly timeoutMs?: number
}

/**
 * A cursor read as Server-Sent Events. The operation accepts `since`, the last `seq` that the caller has, and answers
 * `{ items: [{ seq, … }], … }`. The edge calls it again after each event of `wokenBy` whose payload matches the names
 * in the path, and sends each item once, in order, with its `seq` as the event id.
 */
export interface StreamDeclaration {
  /** Events of the same service after which new items may exist. */
  readonly wokenBy: readonly string[]
}

/** Work that may outlive the call that began it: a call that is answered 202 began it and ends before it. */
export interface TaskDeclaration {
  /** Key of the operation of the same service that reads the work: 202 while it runs; its end is answered 200 or refused. */
  readonly readBy: string
  /** Member that names the work in the answer, and the only one of the input of `readBy`. */
  readonly id: string
  /** How long the work is kept from its beginning. */
  readonly keptMs: number
}

/** A file in the object store of a service, as answers name it. */
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
  /** File name for browsers: letters, digits, dots, dashes and underscores. */
  filename: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,120}$/)
    .max(120),
})
export type StoredFile = z.output<typeof storedFile>

/** A declared operation with its service and key. */
export type Operation<D extends OperationDeclaration = OperationDeclaration> = D & {
  readonly service: string
  readonly key: string
}

/** Throws if the answer of a switch is not declared: documents and clients would not know it. */
function requireDeclaredAnswer({ summary, refusals, success }: OperationDeclaration, { whenOff }: Flag): void {
  const declared =
    'code' in whenOff
      ? whenOff.code === 'not_found' || refusals?.includes(whenOff) === true
      : success[whenOff.status]?.safeParse(whenOff.body).success === true
  if (!declared)
    throw new Error(`operation "${summary}": the answer of its switch is not declared; add it to refusals or success`)
}

const SUNSET_MS_MIN = 180 * 86_400_000

/** Throws if a caller could not follow a deprecation: too soon, or to a place that its own request does not name. */
function requireFollowable({ summary, http, success }: OperationDeclaration, old: Deprecation): void {
  const [since, sunset] = [Date.parse(old.since), Date.parse(old.sunset)]
  if (!(sunset - since >= SUNSET_MS_MIN))
    throw new Error(`operation "${summary}": sunset must be at least half a year after since`)
  const unknown = [...old.successor.matchAll(/\{(\w+)\}/g)].filter(([name]) => http?.includes(name) !== true)
  if (unknown.length > 0) throw new Error(`operation "${summary}": its path has no ${unknown[0]?.[0]} of its successor`)
  if (old.members !== undefined && Object.keys(success).length === 0)
    throw new Error(`operation "${summary}": only an answer has old members`)
}

/** Declares an operation; it becomes usable once listed in a `contract()`. */
export function operation<const D extends OperationDeclaration>(declaration: D): D {
  const { auth, callers, http } = declaration
  if ((auth === 'service') !== (callers !== undefined)) {
    throw new Error(
      `operation "${declaration.summary}": auth "service" requires "callers", and "callers" requires auth "service"`,
    )
  }
  if (auth === 'service' && http !== undefined) {
    throw new Error(`operation "${declaration.summary}": an operation with auth "service" cannot have an HTTP route`)
  }
  if (declaration.sharedAnswer === true && (auth !== 'open' || declaration.cacheSec === undefined)) {
    throw new Error(`operation "${declaration.summary}": only an open snapshot read can share its answers`)
  }
  const { exitWhen } = declaration
  if (exitWhen !== undefined && !Object.hasOwn(declaration.input.shape, exitWhen)) {
    throw new Error(`operation "${declaration.summary}": the input has no member "${exitWhen}" of exitWhen`)
  }
  if (declaration.cookie !== undefined && (http === undefined || !http.startsWith('POST ')))
    throw new Error(`operation "${declaration.summary}": only a POST can keep a secret in a cookie`)
  if (declaration.effect === 'money' && !Object.hasOwn(declaration.input.shape, 'dry_run')) {
    throw new Error(`operation "${declaration.summary}": a call that moves money must accept "dry_run"`)
  }
  if (declaration.payment !== undefined && !Object.hasOwn(declaration.input.shape, declaration.payment.offer)) {
    throw new Error(`operation "${declaration.summary}": the input has no member for the offer that is paid`)
  }
  if (declaration.flag !== undefined) requireDeclaredAnswer(declaration, declaration.flag)
  if (declaration.deprecated !== undefined) requireFollowable(declaration, declaration.deprecated)
  if (declaration.stream !== undefined && !Object.hasOwn(declaration.input.shape, 'since')) {
    throw new Error(`operation "${declaration.summary}": a streamed read must accept "since"`)
  }
  return declaration
}

/** Parsed input of an operation, as its handler receives it. */
export type InputOf<D extends OperationDeclaration> = z.output<D['input']>

/** Input of an operation as a caller may write it, without defaults. */
export type RequestOf<D extends OperationDeclaration> = z.input<D['input']>

/** Result of a handler: one of the declared statuses with its body. */
export type AnswerOf<D extends OperationDeclaration> = {
  [S in keyof D['success'] & number]: { readonly status: S; readonly body: z.input<D['success'][S]> }
}[keyof D['success'] & number]

/** Body of a success answer, as a client receives it. */
export type BodyOf<D extends OperationDeclaration> = {
  [S in keyof D['success'] & number]: z.output<D['success'][S]>
}[keyof D['success'] & number]

/** Builds the answer of a handler: `return ok(202, { ok: true, … })`. */
export function ok<const S extends number, B>(status: S, body: B): { readonly status: S; readonly body: B } {
  return { status, body }
}

/** Returns the scope that an API key must have for an operation. */
export function scopeOf(declaration: OperationDeclaration): Scope {
  return declaration.scope ?? (declaration.http?.startsWith('GET ') ? 'read' : 'write')
}
