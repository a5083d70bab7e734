import { common } from '@svc/contracts'
import type { Refusal } from '@svc/contract'
import type { DocumentOptions } from './document-options.ts'
import { jsonSchema, type Route } from './routes.ts'

type Json = Record<string, unknown>

const rateHeaders = {
  RateLimit: { $ref: '#/components/headers/RateLimit' },
  'RateLimit-Policy': { $ref: '#/components/headers/RateLimit-Policy' },
}
const requestId = { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } }
const problemContent = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } }

/** Refusals that the edge or the kit may answer on a route, besides those it declares. */
export function edgeRefusals(route: Route): Refusal[] {
  const { operation } = route
  const list: Refusal[] = [
    common.invalidRequest,
    common.rateLimited,
    common.internal,
    common.temporarilyUnavailable,
    common.unauthenticated,
  ]
  if (operation.auth !== 'open') list.push(common.forbidden, common.missingScope)
  if ((operation.tier ?? 0) > 0) list.push(common.tierRequired)
  if (route.method === 'POST' || route.method === 'PUT') list.push(common.bodyTooLarge, common.unsupportedMediaType)
  if (operation.idempotent === true) list.push(common.idempotencyInFlight, common.idempotencyMismatch)
  if (operation.secret === true) list.push(common.secretAlreadyShown)
  return list
}

function parameters(route: Route): Json[] {
  const schema = jsonSchema(route.operation.input, 'input') as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(schema.properties ?? {})
    .filter(([name]) => route.places[name] === 'path' || route.places[name] === 'query')
    .map(([name, property]) => {
      const { description, ...rest } = property
      return {
        name,
        in: route.places[name],
        required: route.places[name] === 'path' || (schema.required ?? []).includes(name),
        ...(description === undefined ? {} : { description }),
        schema: rest,
      }
    })
}

function requestBody(route: Route): Json | undefined {
  const schema = jsonSchema(route.operation.input, 'input') as {
    properties?: Record<string, Json>
    required?: string[]
  }
  const names = Object.keys(schema.properties ?? {}).filter((name) => route.places[name] === 'body')
  if (route.method === 'GET' || route.method === 'DELETE') return undefined
  const required = (schema.required ?? []).filter((name) => names.includes(name))
  return {
    required: required.length > 0,
    content: {
      'application/json': {
        schema: {
          type: 'object',
          properties: Object.fromEntries(names.map((name) => [name, schema.properties?.[name]])),
          ...(required.length > 0 ? { required } : {}),
          additionalProperties: false,
        },
      },
    },
  }
}

const SUCCESS: Readonly<Record<string, string>> = {
  200: 'Done',
  201: 'Created',
  202: 'Accepted',
  204: 'Done, nothing to tell',
}

function responses(route: Route): Json {
  const { operation } = route
  const success = Object.entries(operation.success).map(([status, schema]) => [
    status,
    {
      description: SUCCESS[status] ?? 'Done',
      headers: { ...rateHeaders, ...requestId },
      content: { 'application/json': { schema: jsonSchema(schema, 'output') } },
    },
  ])
  const byStatus = Map.groupBy([...edgeRefusals(route), ...(operation.refusals ?? [])], (refusal) => refusal.status)
  const failures = [...byStatus]
    .sort(([a], [b]) => a - b)
    .map(([status, refusals]) => {
      const words = [...new Map(refusals.map((refusal) => [refusal.code, refusal])).values()].map(
        (refusal) => `\`${refusal.code}\`: ${refusal.meaning} ${refusal.fix}`,
      )
      const retry =
        status === 429 || status === 503 || status === 409
          ? { 'Retry-After': { $ref: '#/components/headers/Retry-After' } }
          : {}
      return [
        String(status),
        {
          description: words.join('\n\n'),
          headers: { ...rateHeaders, ...requestId, ...retry },
          content: problemContent,
        },
      ]
    })
  const cached =
    operation.cacheSec === undefined
      ? []
      : [['304', { description: 'Not modified since the given ETag', headers: { ...rateHeaders, ...requestId } }]]
  return Object.fromEntries([...success, ...cached, ...failures])
}

function operationOf(route: Route): Json {
  const { operation } = route
  const body = requestBody(route)
  const params = parameters(route)
  if (operation.idempotent === true) params.push({ $ref: '#/components/parameters/Idempotency-Key' })
  const security =
    operation.auth === 'open'
      ? [{}, { svcKey: [] }, { session: [] }]
      : operation.auth === 'agent'
        ? [{ svcKey: [] }]
        : operation.auth === 'account'
          ? [{ svcKey: [] }, { session: [] }]
          : [{ session: [] }]
  const needs =
    operation.auth === 'open'
      ? 'Open.'
      : `For: ${operation.auth === 'account' ? 'agent key or owner session' : operation.auth}${route.scope === 'read' ? '' : `, scope \`${route.scope}\``}${(operation.tier ?? 0) > 0 ? `, Tier ${operation.tier}` : ''}.`
  return {
    operationId: operation.key,
    summary: operation.summary,
    description: [operation.description ?? `${operation.summary}.`, needs].join('\n\n'),
    tags: [operation.service],
    security,
    ...(params.length > 0 ? { parameters: params } : {}),
    ...(body === undefined ? {} : { requestBody: body }),
    responses: responses(route),
  }
}

/** The OpenAPI 3.1 document of the public API. */
export function openApi(options: DocumentOptions): Json {
  const paths: Record<string, Json> = {}
  for (const route of options.routes)
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(route) }
  const integer = { type: 'integer', format: 'int64', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }
  const text = (maxLength: number) => ({ type: 'string', maxLength })
  return {
    openapi: '3.1.0',
    info: {
      title: 'Cherry platform API',
      version: options.version,
      description:
        'Agents register with a wallet, earn Cherry for reviewed token metadata, and spend it on tiers and data.\n\nErrors are RFC 9457 problem details with a stable `code`; every code is listed at `/problems`.',
      contact: { name: 'Platform team', url: `${options.publicUrl}/discovery` },
      license: { name: 'Proprietary', url: `${options.publicUrl}/discovery` },
    },
    servers: [{ url: options.publicUrl, description: 'This deployment', 'x-internal': false }],
    tags: options.contracts
      .filter((contract) => options.routes.some((route) => route.operation.service === contract.name))
      .map(({ name, title }) => ({ name, description: title })),
    security: [{ svcKey: [] }, { session: [] }],
    paths,
    components: {
      securitySchemes: {
        svcKey: { type: 'apiKey', in: 'header', name: 'X-SVC-User-Key', description: 'API key of an agent.' },
        session: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'Session of a person. Signed by the platform (EdDSA, RFC 8725).',
        },
      },
      parameters: {
        'Idempotency-Key': {
          name: 'Idempotency-Key',
          in: 'header',
          required: false,
          description: 'The same key and body give the first answer again.',
          schema: text(257),
        },
      },
      headers: {
        RateLimit: { description: 'Calls left (r) and seconds to the reset (t) of the policy.', schema: text(200) },
        'RateLimit-Policy': { description: 'The policy: calls (q) in a window (w).', schema: text(200) },
        'Retry-After': {
          description: 'Seconds to wait before a repeat.',
          schema: { ...integer, maximum: 86400, format: 'int32' },
        },
        'X-Request-Id': { description: 'Id of this request; name it when you report a problem.', schema: text(128) },
      },
      schemas: {
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
            instance: text(2000),
            ok: { type: 'boolean', const: false },
            code: { type: 'string', maxLength: 64, enum: [...options.refusals.keys()].sort() },
            request_id: text(128),
            errors: {
              type: 'array',
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
    },
  }
}
