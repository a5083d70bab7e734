import { storedFile } from '@svc/contract'
import { z } from 'zod'
import { costOf } from './cost.ts'
import { CSV_TYPE } from './csv.ts'
import { isOldRoute } from './deprecation.ts'
import type { DocumentOptions } from './document-options.ts'
import { components, headerKey, securityOf } from './openapi-components.ts'
import { failuresOfRoutes, type Failures } from './openapi-failures.ts'
import { shareParameters } from './openapi-parameters.ts'
import { describePlace } from './openapi-places.ts'
import { shareRepeated } from './openapi-repeated.ts'
import { shareTitled } from './openapi-schemas.ts'
import { onlyUsed } from './openapi-used.ts'
import { jsonSchema, type Route } from './routes.ts'

type Json = Record<string, unknown>

const header = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${headerKey(name)}` }]))
const everywhere = ['Access-Control-Allow-Origin', 'RateLimit']

/** Returns a name as a sentence, for a member without a description in its contract. */
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

/** Returns the smallest body, built from the examples of its required members; null if a member has no example. */
function smallestExample(required: readonly string[], properties: Readonly<Record<string, Json>>): Json | null {
  const members = required.map((name): [string, unknown] => {
    const { example, const: only, enum: words } = properties[name] ?? {}
    return [name, example ?? only ?? (words as unknown[] | undefined)?.[0]]
  })
  return members.some(([, value]) => value === undefined) ? null : Object.fromEntries(members)
}

function requestBody(route: Route): Json | undefined {
  const schema = jsonSchema(route.operation.input, 'input') as {
    properties?: Record<string, Json>
    required?: string[]
    example?: Json
  }
  const names = Object.keys(schema.properties ?? {}).filter((name) => route.places[name] === 'body')
  if (route.method === 'GET' || route.method === 'DELETE') return undefined
  const byCookie = route.operation.cookie?.member
  const required = (schema.required ?? []).filter((name) => names.includes(name) && name !== byCookie)
  const shown = byCookie === undefined || !names.includes(byCookie) ? required : [...required, byCookie]
  const example = schema.example ?? smallestExample(shown, schema.properties ?? {})
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
        ...(example === null ? {} : { example }),
      },
    },
  }
}

const SUCCESS: Readonly<Record<string, string>> = {
  200: 'Done',
  201: 'Created',
  202: 'Accepted',
  204: 'Done; the answer has no body',
}

const SENT_BYTES_MAX = 2 ** 31 - 1

const fileSchema = { type: 'string', format: 'binary', maxLength: SENT_BYTES_MAX }
const csvSchema = { type: 'string', format: 'csv', maxLength: SENT_BYTES_MAX }
const eventsSchema = {
  type: 'string',
  format: 'event-stream',
  maxLength: SENT_BYTES_MAX,
  description: 'One event per item: `id` is the `seq` of the item, `data` the item as JSON.',
}

/**
 * Returns the content of a success response: JSON, the events of a stream, or the bytes of a file in place of an answer
 * that names a file.
 */
function contentOf({ operation }: Route, schema: z.ZodType): Json {
  if (operation.stream !== undefined) return { 'text/event-stream': { schema: eventsSchema } }
  const answers = schema instanceof z.ZodUnion ? (schema.options as readonly z.ZodType[]) : [schema]
  const spoken = answers.filter((answer) => !namesFile(answer))
  const [json = schema] = spoken.length > 1 ? [schema] : spoken
  return {
    ...(spoken.length === 0
      ? {}
      : {
          'application/json': { schema: withoutSecret(operation, jsonSchema(json, 'output')) },
        }),
    ...(operation.listAs === undefined || !(json instanceof z.ZodObject)
      ? {}
      : {
          [operation.listAs.type]: { schema: jsonSchema(json.shape[operation.listAs.member] as z.ZodType, 'output') },
        }),
    ...(operation.csv === undefined ? {} : { [CSV_TYPE]: { schema: csvSchema } }),
    ...(operation.file === undefined || spoken.length === answers.length
      ? {}
      : { [operation.file]: { schema: fileSchema } }),
  }
}

/** Returns the schema of an answer in which a member that may travel in a cookie is not required. */
function withoutSecret({ cookie }: Route['operation'], schema: Json): Json {
  const { required } = schema
  if (cookie === undefined || !Array.isArray(required)) return schema
  return { ...schema, required: required.filter((name) => name !== cookie.member) }
}

const namesFile = (answer: z.ZodType) => answer instanceof z.ZodObject && answer.shape['file'] === storedFile

const notModified = { description: 'Not modified since the given ETag', headers: header(...everywhere, 'ETag') }

function responsesOf(route: Route, failures: Failures): Json {
  const { operation } = route
  const tagged = operation.cacheSec !== undefined || operation.file !== undefined
  const snapshot = tagged ? ['ETag'] : []
  const replay = operation.idempotent === true && operation.secret !== true ? ['Idempotent-Replayed'] : []
  const cookie = operation.cookie === undefined ? [] : ['Set-Cookie']
  const old = operation.deprecated === undefined ? [] : ['Deprecation', 'Sunset']
  const link = operation.deprecated === undefined && operation.listAs === undefined ? [] : ['Link']
  const paid = operation.payment === undefined ? [] : ['PAYMENT-RESPONSE']
  const success = Object.entries(operation.success).map(([status, schema]) => [
    status,
    {
      description: SUCCESS[status] ?? 'Done',
      headers: header(...everywhere, ...snapshot, ...replay, ...cookie, ...old, ...link, ...paid),
      content: contentOf(route, schema),
    },
  ])
  const cached = tagged ? { 304: { $ref: '#/components/responses/NotModified' } } : {}
  return { ...Object.fromEntries(success), ...cached, ...failures.of(route) }
}

/** Returns the name of the environment at a public URL: local or production. */
function environmentOf(publicUrl: string): string {
  return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(publicUrl).hostname)
    ? 'Local deployment'
    : 'Production deployment'
}

/** What a call with a credential costs, in a sentence. */
const COSTS = {
  'per day': 'Costs a request of the day.',
  'per minute': 'Bounded per minute.',
  free: 'Not counted.',
}

function operationOf(route: Route, failures: Failures): Json {
  const { operation } = route
  const body = requestBody(route)
  const params = parameters(route)
  if (operation.csv !== undefined) params.push({ $ref: '#/components/parameters/format' })
  if (operation.idempotent === true) params.push({ $ref: '#/components/parameters/Idempotency-Key' })
  if (operation.payment !== undefined) params.push({ $ref: '#/components/parameters/PAYMENT-SIGNATURE' })
  if (operation.cookie !== undefined) params.push({ $ref: '#/components/parameters/X-SVC-Session' })
  const needs =
    operation.auth === 'open'
      ? 'Open.'
      : `For: ${operation.auth === 'account' ? 'agent key or owner session' : operation.auth}${route.scope === 'read' ? '' : `, scope \`${route.scope}\``}${(operation.tier ?? 0) > 0 ? `, Tier ${operation.tier}` : ''}.`
  return {
    operationId: operation.key,
    summary: operation.summary,
    description: [
      ...(operation.description === undefined ? [] : [operation.description]),
      `${needs} ${COSTS[costOf(operation)]}`,
    ].join('\n\n'),
    tags: [operation.service],
    ...(isOldRoute(operation) ? { deprecated: true } : {}),
    ...(operation.auth === DEFAULT_AUTH[readersOf(route)] ? {} : { security: securityOf(operation) }),
    ...(params.length > 0 ? { parameters: params } : {}),
    ...(body === undefined ? {} : { requestBody: body }),
    responses: responsesOf(route, failures),
  }
}

/** Who a document is for. Agents, owners and everybody else do not pay for reading the routes of the staff. */
export type Readers = 'public' | 'staff'

const STAFF: ReadonlySet<string> = new Set(['reviewer', 'admin', 'keeper'])

/** Returns whose document describes a route. */
export const readersOf = ({ operation }: Route): Readers => (STAFF.has(operation.auth) ? 'staff' : 'public')

/** Who calls an operation that names no security of its own. */
const DEFAULT_AUTH = { public: 'account', staff: 'admin' } as const

const TITLES = {
  public: 'Cherry platform API',
  staff: 'Cherry platform API for reviewers, administrators and the keeper',
}

/** Returns the OpenAPI 3.1 document of the API for agents, owners and everybody, or of the routes of the staff. */
export function openApi(options: DocumentOptions, readers: Readers = 'public'): Json {
  const routes = options.routes.filter((route) => readersOf(route) === readers)
  const places = readers === 'public' ? (options.places ?? []) : []
  const headers = (...names: readonly string[]) => header(...everywhere, ...names)
  const failures = failuresOfRoutes(routes, headers)
  const paths: Record<string, Json> = {}
  for (const route of routes)
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(route, failures) }
  for (const place of places)
    paths[place.path] = { [place.method.toLowerCase()]: describePlace(place, failures, headers) }
  const responses = { NotModified: notModified, ...failures.responses }
  const titled = shareTitled({ ...shareParameters(paths), responses, problems: failures.schemas })
  const { parts, schemas } = shareRepeated(
    { ...titled.parts, titled: titled.schemas },
    new Set(Object.keys({ ...titled.schemas, ...failures.schemas })),
  )
  return {
    openapi: '3.1.0',
    info: infoOf(options, readers),
    servers: [{ url: options.publicUrl, description: environmentOf(options.publicUrl), 'x-internal': false }],
    tags: options.contracts
      .filter(
        ({ name }) =>
          routes.some(({ operation }) => operation.service === name) || places.some(({ service }) => service === name),
      )
      .map(({ name, title }) => ({ name, description: title }))
      .toSorted((one, other) => one.name.localeCompare(other.name)),
    security: securityOf({ auth: DEFAULT_AUTH[readers] }),
    paths: parts.paths,
    components: onlyUsed(
      parts.paths,
      components({ ...options, routes }, { ...parts, schemas: { ...parts.problems, ...parts.titled, ...schemas } }),
    ),
  }
}

const infoOf = ({ publicUrl, version }: DocumentOptions, readers: Readers): Json => ({
  title: TITLES[readers],
  version,
  description:
    'Agents register with a wallet, earn Cherry for reviewed token metadata, and spend it on tiers and data.\n\nErrors are RFC 9457 problem details with a stable `code`. Each response names its codes; `/problems/{code}` says what one means and how to fix it.\n\nEvery answer has `X-Request-Id`, `RateLimit-Policy` and `Cache-Control` besides the headers that its response lists. `/openapi-examples.json` has a recorded answer of every operation.',
  contact: { name: 'Platform team', url: `${publicUrl}/discovery` },
  license: { name: 'Proprietary', url: `${publicUrl}/discovery` },
})

/**
 * Returns recorded answers by operation and status. They stand beside the OpenAPI document: inside it they would take a
 * sixth of what its readers are charged for.
 */
export function openApiExamples({ routes, examples }: DocumentOptions): Json {
  const answers = routes.map(({ operation }): [string, Json] => {
    const recorded = Object.keys(operation.success).map((status): [string, unknown] => [
      status,
      examples[`${operation.service}.${operation.key} ${status}`],
    ])
    return [operation.key, Object.fromEntries(recorded.filter(([, example]) => example !== undefined))]
  })
  return Object.fromEntries(answers.filter(([, recorded]) => Object.keys(recorded).length > 0))
}
