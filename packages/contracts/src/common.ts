import { refusal } from '@svc/contract'
import { z } from 'zod'

/** Shared schemas; every string has a maximum length and every integer a range, which the documents print. */

/** Account id, positive integer. */
export const accountId = z
  .int()
  .min(1)
  .max(Number.MAX_SAFE_INTEGER)
  .meta({ title: 'AccountId', description: 'Account id', example: 17 })

const INTEGER = /^-?(?:0|[1-9]\d*)$/
const DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/

const WHOLE = 'write a whole number in decimal digits, like 10'

/** Explains a value that is no number; zod explains a missing one, and one out of its range. */
const explain = (text: string) => (issue: { readonly code?: string; readonly input?: unknown }) =>
  issue.code !== 'invalid_type' || issue.input === undefined ? undefined : text

/** Returns the number of a text in one notation; everything else stays as it is, and its schema refuses it. */
const numberIn = (notation: RegExp) => (given: unknown) =>
  typeof given === 'string' && notation.test(given) ? Number(given) : given

/**
 * Whole number that a query or a path brings as text, in decimal digits: one value has one notation, so that a proxy or a
 * signature over the text sees the same number. Tools give it as a number.
 */
export const integerText = (min: number, max: number) =>
  z.preprocess(
    numberIn(INTEGER),
    z
      .int({ error: explain(WHOLE) })
      .min(min)
      .max(max),
  )

/** Account id that a query brings as text, in the notation of `integerText`. */
export const accountIdText = z.preprocess(numberIn(INTEGER), z.number({ error: explain(WHOLE) })).pipe(accountId)

/** Number that a query brings as text, in decimal digits with or without a point. */
export const decimalText = (min: number, max: number) =>
  z.preprocess(
    numberIn(DECIMAL),
    z
      .number({ error: explain('write a number in decimal digits, like 2.5') })
      .min(min)
      .max(max),
  )

/** Account id of an agent in a path. */
export const agentIdInPath = integerText(1, Number.MAX_SAFE_INTEGER).meta({
  description: 'Account id of the agent',
  format: 'int64',
  example: 17,
})

/** Cherry amount, whole credits. */
export const cherry = z
  .int()
  .min(0)
  .max(Number.MAX_SAFE_INTEGER)
  .meta({ title: 'Cherry', description: 'Cherry, whole credits', example: 25 })

/** Instant, RFC 3339 UTC with milliseconds. */
export const instant = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/, {
    error: 'write a time in UTC with milliseconds, like 2026-11-21T09:30:00.000Z',
    abort: true,
  })
  .max(24)
  .meta({
    title: 'Instant',
    description: 'RFC 3339 UTC, milliseconds',
    format: 'date-time',
    example: '2026-11-21T09:30:00.000Z',
  })

/**
 * Instant as callers may write it: any valid RFC 3339 time with any offset. Parses to the form of `instant`; digits
 * beyond milliseconds are cut off.
 */
export const givenInstant = z
  .string()
  .max(40)
  .toUpperCase()
  .pipe(
    z.iso.datetime({
      offset: true,
      error: 'write a time that exists, with its offset, like 2026-11-21T09:30:00Z or 2026-11-21T18:30:00+09:00',
      abort: true,
    }),
  )
  .transform((text) => new Date(text).toISOString())
  .pipe(instant)
  .meta({
    title: 'GivenInstant',
    description: 'RFC 3339 time with Z or an offset',
    format: 'date-time',
    example: '2026-11-21T09:30:00Z',
  })

/** UTC day. */
export const utcDay = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/)
  .max(10)
  .meta({ title: 'UtcDay', description: 'UTC day', format: 'date', example: '2026-11-21' })

/** EVM address in any accepted case; services return EIP-55. */
export const walletAddress = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'must be 0x and 40 hex digits')
  .max(42)
  .meta({
    title: 'WalletAddress',
    description: 'Wallet address',
    example: '0x52908400098527886E0F7030069857D2E4169EE7',
  })

/** Setting with at most `max` addresses, separated by commas; empty parts are passed over. */
export const walletList = (max: number) =>
  z
    .string()
    .transform((text) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    )
    .pipe(z.array(walletAddress).max(max))

/** Setting with at most `max` parts, separated by commas without spaces; empty parts are skipped. */
export const listOf = <S extends z.ZodType<unknown, string>>(part: S, max: number) =>
  z
    .string()
    .transform((text) => text.split(',').filter((one) => one !== ''))
    .pipe(z.array(part).max(max))

/** Exchange id exactly as the service returns it (the id of ccxt). */
export const exchange = z
  .string()
  .regex(/^[a-z0-9]{2,32}$/, 'use the exchange id exactly as the API returns it, for example "binance"')
  .max(32)
  .meta({ title: 'ExchangeId', description: "Exchange id (ccxt's)", example: 'binance' })

/** Pair with a slash, for bodies and queries. */
export const symbol = z
  .string()
  .regex(/^[A-Z0-9$._-]{1,32}\/[A-Z0-9$._-]{1,32}$/, 'write BASE/QUOTE with a slash, for example "BTC/USDT"')
  .max(65)
  .meta({ title: 'Pair', description: 'Pair, BASE/QUOTE', example: 'BTC/USDT' })

/** Pair with an underscore, for paths. That of an answer, with a slash, is taken too. */
export const symbolInPath = z
  .string()
  .overwrite((text) => text.replace('/', '_'))
  .regex(/^[A-Z0-9$.-]{1,32}_[A-Z0-9$.-]{1,32}$/, 'write BASE_QUOTE, for example BTC_USDT, or BASE/QUOTE')
  .max(65)
  .meta({ title: 'PairInPath', description: 'Pair, BASE_QUOTE', example: 'BTC_USDT' })

/** `<exchange>_<base>_<quote>`, lower case. */
export const tokenId = z
  .string()
  .min(5)
  .max(100)
  .meta({ title: 'TokenId', description: 'Token id', example: 'binance_btc_usdt' })

/** Opaque cursor of a list. */
export const cursor = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,200}$/)
  .max(200)
  .meta({ title: 'Cursor', description: 'Cursor of the previous page (next_cursor)' })

/** Whole number in a query string. */
export const queryInt = (min: number, max: number, fallback: number, description = 'Entries of a page') =>
  integerText(min, max).prefault(fallback).meta({ description, format: 'int32' })

/** True, in answers to calls that change something. */
export const okTrue = z.literal(true)

/**
 * Text that somebody else wrote, such as a name, a note or the words of a venue. Tools quote it as data, because a model
 * could take it for an instruction.
 */
export const strangersText = (max: number) => z.string().max(max).meta({ 'x-written-by': 'stranger' })

/** Asks what a call that moves money would do. */
export const dryRun = z
  .boolean()
  .default(false)
  .meta({ title: 'DryRun', description: 'true: answer or refuse as the call would, and change nothing' })

/** Marks the answer of a dry run. */
export const ranDry = okTrue.optional().meta({ description: 'In the answer of a dry run: nothing has changed' })

/** Why an admin changes a balance or a debt: one line of text, stored with the change. */
export const adminReason = z
  .string()
  .min(1)
  .max(500)
  .refine(
    (text) => text.isWellFormed() && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text) && text.trim() !== '',
    'must be plain text on one line',
  )

/** Refusals that any operation may answer; the edge or the service kit returns them. */
export const common = {
  invalidRequest: refusal('invalid_request', {
    status: 400,
    title: 'Invalid request',
    meaning: 'A member of the path, query or body is missing, unknown or invalid.',
    fix: 'Correct the members named in errors[].',
  }),
  unauthenticated: refusal('unauthenticated', {
    status: 401,
    title: 'Authentication required',
    meaning: 'No credential was sent, or it is unknown, expired or revoked.',
    fix: 'Send X-SVC-User-Key: <API_KEY> or Authorization: Bearer <JWT>. Get a key with POST /auth/wallet/nonce and POST /auth/agent/register.',
  }),
  originRefused: refusal('origin_refused', {
    status: 403,
    title: 'Origin refused',
    meaning: 'The call asks for a session by cookie, but its Origin is not that of the pages of this deployment.',
    fix: 'Call from the pages of this deployment, or omit the header X-SVC-Session and keep the refresh token yourself.',
  }),
  forbidden: refusal('forbidden', {
    status: 403,
    title: 'Not allowed',
    meaning: 'The credential is valid, but this kind of caller may not use this route.',
    fix: 'Use an account or role that the route requires.',
  }),
  missingScope: refusal('missing_scope', {
    status: 403,
    title: 'Missing scope',
    meaning: 'The API key does not have the scope that this route requires.',
    fix: 'Use a key with the scope in required_scope: POST /auth/agent/keys makes one; the paired owner alone grants tx.',
  }),
  tierRequired: refusal('tier_required', {
    status: 403,
    title: 'Higher tier required',
    meaning: 'The route requires a higher tier than the account has.',
    fix: 'Read the price with GET /subscriptions/cherries/upgrade-preview and buy the tier in required_tier with POST /subscriptions/cherries/subscribe.',
  }),
  notFound: refusal('not_found', {
    status: 404,
    title: 'Not found',
    meaning: 'The route or the requested object does not exist.',
    fix: 'Check the path against /discovery or /openapi.json, and the ids in it.',
  }),
  methodNotAllowed: refusal('method_not_allowed', {
    status: 405,
    title: 'Method not allowed',
    meaning: 'The path does not support this method.',
    fix: 'Use a method listed in the Allow header.',
  }),
  idempotencyInFlight: refusal('idempotency_in_flight', {
    status: 409,
    title: 'Still working on it',
    meaning: 'A call with this Idempotency-Key is still in progress.',
    fix: 'Repeat after Retry-After seconds with the same key.',
  }),
  secretAlreadyShown: refusal('secret_already_shown', {
    status: 409,
    title: 'Secret already shown',
    meaning: 'This Idempotency-Key was used before, and the answer contained a secret that is shown only once.',
    fix: 'If the secret is lost, revoke it and create a new one.',
  }),
  bodyTooLarge: refusal('body_too_large', {
    status: 413,
    title: 'Body too large',
    meaning: 'The request body is larger than the route accepts.',
    fix: 'Send at most 64 KiB.',
  }),
  unsupportedMediaType: refusal('unsupported_media_type', {
    status: 415,
    title: 'Unsupported media type',
    meaning: 'The body is not JSON, or it is compressed.',
    fix: 'Send Content-Type: application/json, without Content-Encoding.',
  }),
  idempotencyMismatch: refusal('idempotency_mismatch', {
    status: 422,
    title: 'Idempotency key reused',
    meaning: 'This Idempotency-Key was used with another body.',
    fix: 'Use a new key for a new request.',
  }),
  rateLimited: refusal('rate_limited', {
    status: 429,
    title: 'Rate limited',
    meaning: 'The allowance of the account or client address is used up.',
    fix: 'Wait until retry_at, which the header Retry-After says in seconds.',
  }),
  tooManyStreams: refusal('too_many_streams', {
    status: 429,
    title: 'Too many streams',
    meaning: 'The account or this server has reached its maximum number of open streams.',
    fix: 'Close a stream, or read with a cursor instead.',
  }),
  headersTooLarge: refusal('headers_too_large', {
    status: 431,
    title: 'Headers too large',
    meaning: 'The URL with its query and the headers of the request are together larger than the server accepts.',
    fix: 'Send at most 40 KiB of URL and headers.',
  }),
  internal: refusal('internal', {
    status: 500,
    title: 'Internal error',
    meaning: 'The service failed unexpectedly; details are not shown.',
    fix: 'Repeat later; include request_id when you report the problem.',
  }),
  temporarilyUnavailable: refusal('temporarily_unavailable', {
    status: 503,
    title: 'Temporarily unavailable',
    meaning: 'A component that this call needs is down or too slow.',
    fix: 'Repeat after Retry-After seconds; use an Idempotency-Key if the call changes something.',
  }),
} as const
