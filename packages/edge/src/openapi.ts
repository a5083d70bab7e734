import { common } from '@svc/contracts'
import type { Refusal } from '@svc/contract'
import type { z } from 'zod'
import type { DocumentOptions } from './document-options.ts'
import { components, securityOf } from './openapi-components.ts'
import { jsonSchema, type Route } from './routes.ts'

type Json = Record<string, unknown>

const header = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
const everywhere = ['Access-Control-Allow-Origin', 'RateLimit', 'RateLimit-Policy', 'X-Request-Id']

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
  if (route.method !== 'GET') list.push(common.bodyTooLarge, common.unsupportedMediaType)
  if (operation.stream !== undefined) list.push(common.tooManyStreams)
  if (operation.idempotent === true) list.push(common.idempotencyInFlight, common.idempotencyMismatch)
  if (operation.idempotent === true && operation.secret === true) list.push(common.secretAlreadyShown)
  return list
}

/** A name as words, for a member that its contract does not describe further. */
const sentence = (name: string) => `${name.slice(0, 1).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}.`

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
        description: description ?? sentence(name),
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

/** Problem body of one status: the codes that may stand there, and the members they add. */
function problemSchema(refusals: readonly Refusal[]): Json {
  const details = refusals.flatMap((refusal) =>
    refusal.details === undefined ? [] : [(jsonSchema(refusal.details, 'output') as { properties?: Json }).properties],
  )
  const codes = { type: 'string', maxLength: 64, enum: refusals.map((refusal) => refusal.code) }
  return {
    allOf: [
      { $ref: '#/components/schemas/Problem' },
      { type: 'object', additionalProperties: true, properties: Object.assign({ code: codes }, ...details) as Json },
    ],
  }
}

function failureOf(status: number, refusals: readonly Refusal[]): Json {
  const distinct = [...new Map(refusals.map((refusal) => [refusal.code, refusal])).values()]
  const retry = [409, 429, 503].includes(status) ? ['Retry-After'] : []
  return {
    description: distinct.map((refusal) => `\`${refusal.code}\`: ${refusal.meaning} ${refusal.fix}`).join('\n\n'),
    headers: header(...everywhere, ...retry),
    content: { 'application/problem+json': { schema: problemSchema(distinct) } },
  }
}

const SENT_BYTES_MAX = 2 ** 31 - 1

/** Body of a success: JSON, the events of a stream, or a file (and JSON where an answer names none). */
function contentOf({ operation }: Route, schema: z.ZodType): Json {
  const json = { 'application/json': { schema: jsonSchema(schema, 'output') } }
  if (operation.stream !== undefined)
    return {
      'text/event-stream': {
        schema: {
          type: 'string',
          format: 'event-stream',
          maxLength: SENT_BYTES_MAX,
          description: 'One event per item: `id` is its `seq`, `data` the item as JSON.',
        },
      },
    }
  return operation.file === undefined
    ? json
    : { ...json, [operation.file]: { schema: { type: 'string', format: 'binary', maxLength: SENT_BYTES_MAX } } }
}

function responses(route: Route): Json {
  const { operation } = route
  const snapshot = operation.cacheSec === undefined ? [] : ['ETag']
  const replay = operation.idempotent === true && operation.secret !== true ? ['Idempotent-Replayed'] : []
  const success = Object.entries(operation.success).map(([status, schema]) => [
    status,
    {
      description: SUCCESS[status] ?? 'Done',
      headers: header(...everywhere, 'Cache-Control', ...snapshot, ...replay),
      content: contentOf(route, schema),
    },
  ])
  const byStatus = Map.groupBy([...edgeRefusals(route), ...(operation.refusals ?? [])], (refusal) => refusal.status)
  const failures = [...byStatus]
    .sort(([a], [b]) => a - b)
    .map(([status, refusals]) => [String(status), failureOf(status, refusals)])
  const cached =
    operation.cacheSec === undefined
      ? []
      : [['304', { description: 'Not modified since the given ETag', headers: header(...everywhere, ...snapshot) }]]
  return Object.fromEntries([...success, ...cached, ...failures])
}

/** A deployment is named by where it is reached: on this machine, or by everybody. */
function environmentOf(publicUrl: string): string {
  return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(publicUrl).hostname)
    ? 'Local deployment'
    : 'Production deployment'
}

function operationOf(route: Route): Json {
  const { operation } = route
  const body = requestBody(route)
  const params = parameters(route)
  if (operation.idempotent === true) params.push({ $ref: '#/components/parameters/Idempotency-Key' })
  const needs =
    operation.auth === 'open'
      ? 'Open.'
      : `For: ${operation.auth === 'account' ? 'agent key or owner session' : operation.auth}${route.scope === 'read' ? '' : `, scope \`${route.scope}\``}${(operation.tier ?? 0) > 0 ? `, Tier ${operation.tier}` : ''}.`
  return {
    operationId: operation.key,
    summary: operation.summary,
    description: [operation.description ?? `${operation.summary}.`, needs].join('\n\n'),
    tags: [operation.service],
    security: securityOf(operation),
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
    servers: [{ url: options.publicUrl, description: environmentOf(options.publicUrl), 'x-internal': false }],
    tags: options.contracts
      .filter((contract) => options.routes.some((route) => route.operation.service === contract.name))
      .map(({ name, title }) => ({ name, description: title }))
      .toSorted((one, other) => one.name.localeCompare(other.name)),
    security: [{ svcKey: [] }, { session: [] }],
    paths,
    components: components(options),
  }
}
