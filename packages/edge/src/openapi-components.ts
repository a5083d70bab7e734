import type { Operation } from '@svc/contract'
import type { DocumentOptions } from './document-options.ts'

type Json = Record<string, unknown>

const text = (maxLength: number, more: Json = {}): Json => ({
  type: 'string',
  maxLength,
  ...(more['pattern'] === undefined && more['enum'] === undefined ? { pattern: '^[^\\u0000]*$' } : {}),
  ...more,
})
const seconds = { type: 'integer', format: 'int32', minimum: 0, maximum: 86_400 }

const headers = {
  CORS: {
    description: 'Any origin for open reads; on other routes the origin of the request if SVC_WEB_ORIGINS lists it.',
    schema: text(300),
  },
  Deprecation: {
    description: 'Since when names of this answer are old (RFC 9745); /deprecations lists them.',
    schema: text(40),
  },
  ETag: { description: 'Version of the snapshot; send it back as If-None-Match.', schema: text(100) },
  'Idempotent-Replayed': {
    description: 'Present if this is the stored answer to the first call with the same Idempotency-Key.',
    schema: { type: 'string', maxLength: 4, const: 'true' },
  },
  Link: { description: 'Related places (RFC 8288), such as the next page or the successor.', schema: text(2000) },
  'PAYMENT-REQUIRED': {
    description: 'Base64 of the JSON in which x402 (version 2) asks for a payment; sent by reads that cost Cherry.',
    schema: text(8_000),
  },
  'PAYMENT-RESPONSE': {
    description: 'Base64 of the JSON in which x402 says what became of the payment that the request brought.',
    schema: text(2_000),
  },
  RateLimit: { description: 'Calls left (r) and seconds to the reset (t) of the policy.', schema: text(200) },
  'Retry-After': { description: 'Seconds to wait before a repeat.', schema: seconds },
  'Set-Cookie': {
    description: 'The refresh token of a session by cookie, or its removal. Sent if the request had X-SVC-Session.',
    schema: text(1000),
  },
  'WWW-Authenticate': { description: 'The ways to authenticate (RFC 9110).', schema: text(200) },
  Sunset: { description: 'When the old names may be gone (RFC 8594).', schema: text(40) },
}

/** Returns the name of a header among the components. That of every response is short, because the document repeats it 200 times. */
export const headerKey = (name: string): string => (name === 'Access-Control-Allow-Origin' ? 'CORS' : name)

const session = (who: string) => ({
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'JWT',
  description: `${who} Signed by the platform with EdDSA; issued and verified as RFC8725 requires.`,
})

/** Ways to authenticate. Roles have separate schemes, so that readers see what an ordinary session may not do. */
const securitySchemes = {
  svcKey: { type: 'apiKey', in: 'header', name: 'X-SVC-User-Key', description: 'API key of an agent.' },
  session: session('Session of an owner.'),
  reviewerSession: session('Session of a reviewer, whose wallet is in SVC_REVIEWER_WALLETS.'),
  adminSession: session('Session of an administrator, whose wallet is in SVC_ADMIN_WALLETS.'),
  keeperToken: session('Token of the keeper, from POST /auth/service/token.'),
}

const SECURITY: Readonly<Record<string, readonly Json[]>> = {
  open: [{}, { svcKey: [] }, { session: [] }],
  agent: [{ svcKey: [] }],
  account: [{ svcKey: [] }, { session: [] }],
  owner: [{ session: [] }],
  reviewer: [{ reviewerSession: [] }],
  admin: [{ adminSession: [] }],
  keeper: [{ keeperToken: [] }],
}

/** Returns the OpenAPI security requirements of an operation. */
export const securityOf = (operation: Pick<Operation, 'auth'>): readonly Json[] => SECURITY[operation.auth] ?? []

interface Shared {
  readonly responses: Json
  readonly parameters: Json
  readonly schemas: Json
}

/** Returns the components of the OpenAPI document that operations refer to. */
export function components(
  options: Pick<DocumentOptions, 'refusals' | 'routes'>,
  { responses, parameters, schemas }: Shared,
): Json {
  const used = new Set(options.routes.flatMap(({ operation }) => securityOf(operation).flatMap(Object.keys)))
  return {
    securitySchemes: Object.fromEntries(Object.entries(securitySchemes).filter(([name]) => used.has(name))),
    parameters: {
      ...parameters,
      format: {
        name: 'format',
        in: 'query',
        required: false,
        description: '`csv`: the list of the answer as a table (RFC 4180), as with `Accept: text/csv`',
        schema: { type: 'string', enum: ['json', 'csv'], default: 'json' },
      },
      'Idempotency-Key': {
        name: 'Idempotency-Key',
        in: 'header',
        required: false,
        description:
          'Repeating a call with the same key and body returns the first answer; 1 to 255 printable characters, bare or quoted.',
        schema: text(257, { pattern: '^[\\x20-\\x7e]{1,257}$' }),
      },
      'PAYMENT-SIGNATURE': {
        name: 'PAYMENT-SIGNATURE',
        in: 'header',
        required: false,
        description:
          'Pays an offer of PAYMENT-REQUIRED (x402, version 2): base64 of `{"x402Version": 2, "accepted": <the offer>, "payload": {"offer_id": <its extra.offer_id>}}`. `offer_id` in the query pays it too.',
        schema: text(8_000, { pattern: '^[A-Za-z0-9+/=]{1,8000}$' }),
      },
      'X-SVC-Session': {
        name: 'X-SVC-Session',
        in: 'header',
        required: false,
        description:
          'For pages of this deployment: `cookie` moves the refresh token from the bodies into a cookie that scripts cannot read. The request needs the Origin of the pages.',
        schema: { type: 'string', maxLength: 6, const: 'cookie' },
      },
    },
    headers,
    responses,
    schemas: {
      ...schemas,
      ProblemCode: {
        description: 'Stable word; GET /problems/{code} says what it means and how to fix it.',
        ...text(64, { enum: [...options.refusals.keys()].toSorted() }),
      },
      Problem: {
        type: 'object',
        description: 'RFC 9457 problem details.',
        required: ['type', 'title', 'status', 'detail', 'instance', 'ok', 'code', 'request_id'],
        additionalProperties: true,
        properties: {
          type: text(200),
          title: text(200),
          status: { type: 'integer', format: 'int32', minimum: 400, maximum: 599 },
          detail: text(2000),
          instance: text(16_384),
          ok: { type: 'boolean', const: false },
          code: { $ref: '#/components/schemas/ProblemCode' },
          request_id: text(128, { pattern: '^[A-Za-z0-9._-]{1,128}$' }),
          errors: {
            type: 'array',
            description: 'Invalid members, at most 20.',
            maxItems: 20,
            items: {
              type: 'object',
              required: ['pointer', 'code', 'detail'],
              additionalProperties: false,
              properties: { pointer: text(400), code: text(64), detail: text(1000) },
            },
          },
        },
      },
    },
  }
}
