import { storedFile } from '@svc/contract'
import { z } from 'zod'
import { isOldRoute } from './deprecation.ts'
import type { DocumentOptions } from './document-options.ts'
import { components, securityOf } from './openapi-components.ts'
import { failuresOfRoutes, type Failures } from './openapi-failures.ts'
import { shareTitled } from './openapi-schemas.ts'
import { jsonSchema, type Route } from './routes.ts'

type Json = Record<string, unknown>

const header = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
const everywhere = ['Access-Control-Allow-Origin', 'RateLimit', 'RateLimit-Policy', 'X-Request-Id']

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
function contentOf({ operation }: Route, schema: z.ZodType, example: unknown): Json {
  if (operation.stream !== undefined) return { 'text/event-stream': { schema: eventsSchema } }
  const answers = schema instanceof z.ZodUnion ? (schema.options as readonly z.ZodType[]) : [schema]
  const spoken = answers.filter((answer) => !namesFile(answer))
  const [json = schema] = spoken.length > 1 ? [schema] : spoken
  return {
    ...(spoken.length === 0
      ? {}
      : {
          'application/json': {
            schema: withoutSecret(operation, jsonSchema(json, 'output')),
            ...(example === undefined ? {} : { example }),
          },
        }),
    ...(operation.listAs === undefined || !(json instanceof z.ZodObject)
      ? {}
      : {
          [operation.listAs.type]: { schema: jsonSchema(json.shape[operation.listAs.member] as z.ZodType, 'output') },
        }),
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

function responsesOf(route: Route, failures: Failures, examples: DocumentOptions['examples']): Json {
  const { operation } = route
  const tagged = operation.cacheSec !== undefined || operation.file !== undefined
  const snapshot = tagged ? ['ETag'] : []
  const replay = operation.idempotent === true && operation.secret !== true ? ['Idempotent-Replayed'] : []
  const cookie = operation.cookie === undefined ? [] : ['Set-Cookie']
  const old = operation.deprecated === undefined ? [] : ['Deprecation', 'Sunset']
  const link = operation.deprecated === undefined && operation.listAs === undefined ? [] : ['Link']
  const success = Object.entries(operation.success).map(([status, schema]) => [
    status,
    {
      description: SUCCESS[status] ?? 'Done',
      headers: header(...everywhere, 'Cache-Control', ...snapshot, ...replay, ...cookie, ...old, ...link),
      content: contentOf(route, schema, examples[`${operation.service}.${operation.key} ${status}`]),
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

function operationOf(route: Route, failures: Failures, examples: DocumentOptions['examples']): Json {
  const { operation } = route
  const body = requestBody(route)
  const params = parameters(route)
  if (operation.idempotent === true) params.push({ $ref: '#/components/parameters/Idempotency-Key' })
  if (operation.cookie !== undefined) params.push({ $ref: '#/components/parameters/X-SVC-Session' })
  const needs =
    operation.auth === 'open'
      ? 'Open.'
      : `For: ${operation.auth === 'account' ? 'agent key or owner session' : operation.auth}${route.scope === 'read' ? '' : `, scope \`${route.scope}\``}${(operation.tier ?? 0) > 0 ? `, Tier ${operation.tier}` : ''}.`
  return {
    operationId: operation.key,
    summary: operation.summary,
    description: [operation.description ?? `${operation.summary}.`, needs].join('\n\n'),
    tags: [operation.service],
    ...(isOldRoute(operation) ? { deprecated: true } : {}),
    security: securityOf(operation),
    ...(params.length > 0 ? { parameters: params } : {}),
    ...(body === undefined ? {} : { requestBody: body }),
    responses: responsesOf(route, failures, examples),
  }
}

/** Returns the OpenAPI 3.1 document of the public API. */
export function openApi(options: DocumentOptions): Json {
  const failures = failuresOfRoutes(options.routes, (...names) => header(...everywhere, ...names))
  const paths: Record<string, Json> = {}
  for (const route of options.routes)
    paths[route.path] = {
      ...paths[route.path],
      [route.method.toLowerCase()]: operationOf(route, failures, options.examples),
    }
  const responses = { NotModified: notModified, ...failures.responses }
  const { parts, schemas } = shareTitled({ paths, responses, problems: failures.schemas })
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
    paths: parts.paths,
    components: components(options, parts.responses, { ...parts.problems, ...schemas }),
  }
}
